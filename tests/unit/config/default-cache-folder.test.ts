// The cache folder of each operating system.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultCacheFolder } from "../../../src/config/default-cache-folder.js";

const homeFolder = join("/home", "ada");

describe("defaultCacheFolder()", () => {
  it.each([
    ["linux", {}, join(homeFolder, ".cache", "mcp-coordinator")],
    ["linux", { XDG_CACHE_HOME: "/var/ada" }, join("/var/ada", "mcp-coordinator")],
    ["linux", { XDG_CACHE_HOME: "relative" }, join(homeFolder, ".cache", "mcp-coordinator")],
    ["darwin", {}, join(homeFolder, "Library", "Caches", "mcp-coordinator")],
    ["win32", {}, join(homeFolder, "AppData", "Local", "mcp-coordinator")],
    ["win32", { LOCALAPPDATA: "/local" }, join("/local", "mcp-coordinator")],
  ] as const)("is right for %s with %j", (platform, environment, wanted) => {
    expect(defaultCacheFolder({ platform, homeFolder, environment })).toBe(wanted);
  });
});

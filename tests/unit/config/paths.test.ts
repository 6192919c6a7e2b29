// Default cache and state folders, and which folder a path is in.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultCacheFolder, defaultStateFolder, isWithin } from "../../../src/config/find-files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

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

describe("defaultStateFolder()", () => {
  it.each([
    ["linux", {}, join(homeFolder, ".local", "state", "mcp-coordinator")],
    ["linux", { XDG_STATE_HOME: "/var/ada" }, join("/var/ada", "mcp-coordinator")],
    ["linux", { XDG_STATE_HOME: "relative" }, join(homeFolder, ".local", "state", "mcp-coordinator")],
    ["darwin", {}, join(homeFolder, "Library", "Application Support", "mcp-coordinator")],
    ["win32", {}, join(homeFolder, "AppData", "Local", "mcp-coordinator", "state")],
    ["win32", { LOCALAPPDATA: "/local" }, join("/local", "mcp-coordinator", "state")],
  ] as const)("is right for %s with %j", async (platform, environment, wanted) => {
    const workingFolder = await temporaryFolder();
    expect(defaultStateFolder({ platform, homeFolder, workingFolder, environment })).toBe(wanted);
  });

  it("is the project's own folder if it exists", async () => {
    const workingFolder = await temporaryFolder();
    mkdirSync(join(workingFolder, ".mcp-coordinator"));
    expect(defaultStateFolder({ platform: "linux", homeFolder, workingFolder, environment: {} })).toBe(
      join(workingFolder, ".mcp-coordinator"),
    );
  });
});

describe("isWithin()", () => {
  const folder = join("/home", "project");

  it.each([".", "file", "..x", "..x/mcp.json", "...", "a/..b"])("finds %j inside", (path) => {
    expect(isWithin(join(folder, path), folder)).toBe(true);
  });

  it.each(["..", "../project-2", "../..x", "/", "/home/projects"])("finds %j outside", (path) => {
    expect(isWithin(path.startsWith("/") ? path : join(folder, path), folder)).toBe(false);
  });
});

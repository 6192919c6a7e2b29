// The state folder of a project, and of each operating system.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultStateFolder } from "../../../src/config/default-state-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const homeFolder = join("/home", "ada");

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

  it("is the project's own folder where a person made one", async () => {
    const workingFolder = await temporaryFolder();
    mkdirSync(join(workingFolder, ".mcp-coordinator"));
    expect(defaultStateFolder({ platform: "linux", homeFolder, workingFolder, environment: {} })).toBe(
      join(workingFolder, ".mcp-coordinator"),
    );
  });
});

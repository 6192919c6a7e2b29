// Configuration files of a cloned folder are checked before they are read: no pipes or devices.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNamedFiles, findProjectFiles } from "../../../src/config/find-files.js";
import { readForeignFile } from "../../../src/store/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test.runIf(process.platform === "linux")(
  "links to pipes and devices are not read as project files, but a named pipe is read",
  async () => {
    const workingFolder = await temporaryFolder();
    const pipe = join(workingFolder, "pipe");
    execFileSync("mkfifo", [pipe]);
    mkdirSync(join(workingFolder, "mcp-servers"));
    symlinkSync(pipe, join(workingFolder, ".mcp.json"));
    symlinkSync(pipe, join(workingFolder, "mcp-servers", "one.json"));
    symlinkSync("/dev/zero", join(workingFolder, "mcp_servers.json"));
    writeFileSync(join(workingFolder, "mcp.json"), "{}");
    const folders = { workingFolder, homeFolder: workingFolder };
    expect(findProjectFiles(folders).map(({ path }) => path)).toEqual([join(workingFolder, "mcp.json")]);
    expect(findNamedFiles([pipe], folders)).toEqual([{ path: pipe, isListed: false }]);
  },
);

test.runIf(process.platform === "linux")("a device is not read as a client's file", async () => {
  await expect(readForeignFile("/dev/null")).rejects.toMatchObject({ code: "CLIENT_FILE_UNREADABLE" });
});

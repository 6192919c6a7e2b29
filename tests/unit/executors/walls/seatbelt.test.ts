// The text of the Seatbelt profile.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toNodeProfile, wrapInSeatbelt } from "../../../../src/executors/walls/outer-walls.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

it("toNodeProfile() denies by default and allows whole folders and single files", async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "file"), "");

  const profile = toNodeProfile("/usr/local/bin/node", [join(folder, "inner"), join(folder, "file")]);

  expect(profile).toContain("(deny default)");
  expect(profile).toContain(`(subpath "${folder}/inner")`);
  expect(profile).toContain(`(literal "${folder}/file")`);
  expect(profile).toContain('(allow process-exec (literal "/usr/local/bin/node"))');
  expect(profile).not.toMatch(/network|file-write|process-fork/);
});

it("toNodeProfile() escapes quotes in a path", () => {
  expect(toNodeProfile('/a" (allow default) "\\', [])).toContain('"/a\\" (allow default) \\"\\\\"');
});

it("wrapInSeatbelt() keeps the command and its arguments at the end", () => {
  const { command, args } = wrapInSeatbelt({ command: "/bin/node", args: ["a", "b"] }, "(version 1)");

  expect(command).toBe("/usr/bin/sandbox-exec");
  expect(args.slice(2)).toEqual(["/bin/node", "a", "b"]);
});

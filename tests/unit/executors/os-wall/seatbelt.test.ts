import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toSeatbeltCommand, toSeatbeltProfile } from "../../../../src/executors/walls/seatbelt.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

it("toSeatbeltProfile() denies by default and allows whole folders and single files", async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "file"), "");

  const profile = toSeatbeltProfile("/usr/local/bin/node", [join(folder, "inner"), join(folder, "file")]);

  expect(profile).toContain("(deny default)");
  expect(profile).toContain(`(subpath "${folder}/inner")`);
  expect(profile).toContain(`(literal "${folder}/file")`);
  expect(profile).toContain('(allow process-exec (literal "/usr/local/bin/node"))');
  expect(profile).not.toMatch(/network|file-write|process-fork/);
});

it("toSeatbeltProfile() escapes quotes in a path", () => {
  expect(toSeatbeltProfile('/a" (allow default) "\\', [])).toContain('"/a\\" (allow default) \\"\\\\"');
});

it("toSeatbeltCommand() keeps the command and its arguments at the end", () => {
  const { command, args } = toSeatbeltCommand({ command: "/bin/node", args: ["a", "b"], readable: [] });

  expect(command).toBe("/usr/bin/sandbox-exec");
  expect(args.slice(2)).toEqual(["/bin/node", "a", "b"]);
});

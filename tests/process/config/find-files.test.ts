// Configuration files of a cloned folder are checked before they are read: no pipes or devices.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNamedFiles, findProjectFiles } from "../../../src/config/find-files.js";
import { readDocument } from "../../../src/config/read-policies.js";
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

test.runIf(process.platform === "linux")("a pipe or a device is not read as a policy", async () => {
  const pipe = join(await temporaryFolder(), "policy.yaml");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, "/dev/zero"])
    await expect(readDocument(path)).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
});

test.each([
  ["deep brackets", `allow: ${"[".repeat(500_000)}`],
  ["deep lists", `${"- ".repeat(400_000)}x`],
  ["a duplicate key", "deny: [writes]\ndeny: []"],
  ["a value that contains itself", "default: &a [*a]"],
  [
    "aliases of aliases",
    [
      ...["a", "b", "c", "d"].map(
        (name, at, all) => `${name}: &${name} [${`*${all[at - 1]}, `.repeat(at === 0 ? 0 : 20)}1]`,
      ),
    ].join("\n"),
  ],
])("a policy with %s is refused", async (_what, text) => {
  const path = join(await temporaryFolder(), "policy.yaml");
  writeFileSync(path, text);
  await expect(readDocument(path)).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
});

test.each([
  ["a tab", "deny:\n\t- writes\n", "line 2, column 1, expected spaces instead of a tab for indentation"],
  ["an unclosed quote", 'deny: ["mail.*]\n', "line 1, column 16, expected the closing quote"],
  ["an unclosed bracket", "deny: [writes\nallow: [reads]\n", 'line 2, column 1, expected the closing "]"'],
  ["an unclosed bracket at the end", "deny: [writes\n", 'line 1, column 14, expected the closing "]"'],
  [
    "a wrong indentation",
    "deny:\n  - writes\n - reads\n",
    "line 3, column 1, expected the same indentation as the other lines of its block",
  ],
  [
    "two colons",
    "deny: mail: send\n",
    'line 1, column 7, expected one "key: value" per line, and quotes around a value that contains ": "',
  ],
  [
    "a reserved character",
    "deny: [@mail]\n",
    "line 1, column 8, expected quotes around a value that starts with this character",
  ],
  ["no colon", "default: deny\nallow\n", 'line 2, column 1, expected "key: value"'],
])(
  "a policy with %s is refused with its place, what was expected, and the next step",
  async (_what, text, state) => {
    const path = join(await temporaryFolder(), "policy.yaml");
    writeFileSync(path, text);
    await expect(readDocument(path)).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: `Cannot read "${path}": ${state}`,
      hint: "Correct that line, then run the command again.",
      details: { pointer: expect.stringContaining("^") },
    });
  },
);

test("a policy with very many keys is read in linear time", async () => {
  const path = join(await temporaryFolder(), "policy.yaml");
  writeFileSync(path, Array.from({ length: 60_000 }, (_, at) => `key${at}: 1`).join("\n"));
  const { document } = await readDocument(path);
  expect(Object.keys(document as object)).toHaveLength(60_000);
});

test.runIf(process.platform === "linux")("a device is not read as a client's file", async () => {
  await expect(readForeignFile("/dev/null")).rejects.toMatchObject({ code: "CLIENT_FILE_UNREADABLE" });
});

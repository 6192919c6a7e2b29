// Failed server starts on disk.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStartFailures } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const failure = {
  count: 2,
  failedAtMs: 5,
  code: "UPSTREAM_CLOSED",
  message: "It crashed",
  hint: "Mend it.",
} as const;

it("another process sees a failed start until it is cleared", async () => {
  const folder = await temporaryFolder();
  await openStartFailures(folder).write("a", "1", failure);
  const other = openStartFailures(folder);
  expect(await other.read("a", "1")).toMatchObject(failure);
  expect(await other.read("a", "2")).toBeUndefined();
  await other.clear("a", "1");
  expect(await openStartFailures(folder).read("a", "1")).toBeUndefined();
});

it("a file in another format is ignored", async () => {
  const folder = await temporaryFolder();
  const failures = openStartFailures(folder);
  await failures.write("a", "1", failure);
  const [name] = await readdir(join(folder, "failures"));
  for (const text of ["{", "null", '{"format":"mcp-coordinator/start-failure/1","code":"NONSENSE"}']) {
    await writeFile(join(folder, "failures", String(name)), text);
    expect(await failures.read("a", "1")).toBeUndefined();
  }
});

it("the failure stays in memory if the folder is not writable", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const failures = openStartFailures(file);
  await failures.write("a", "1", failure);
  expect(await failures.read("a", "1")).toEqual(failure);
});

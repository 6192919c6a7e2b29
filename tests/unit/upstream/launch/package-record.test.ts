// Which of two Node versions starts a package.
import { expect, test } from "vitest";
import { chooseNode } from "../../../../src/upstream/launch/package-record.js";

const machine = { path: "/usr/bin/node", version: "20.20.2" };
const own = { path: process.execPath, version: "24.1.0" };

test.each([
  ["nothing is required", ["*"], machine],
  ["both fit", [">=18"], machine],
  ["only ours fits", [">=22.13"], own],
  ["only the machine's fits", ["^18 || ^20"], machine],
  ["a dependency needs ours", [">=18", ">=20.5.0", ">=22"], own],
  ["dependencies rule both out, and the package fits the machine's", [">=18", ">=22", "<22"], machine],
  ["dependencies rule both out, and the package fits ours alone", [">=22", "<22"], own],
  ["neither fits", [">=30"], machine],
  ["the range cannot be read", ["not a range"], machine],
])("chooseNode() selects the right Node if %s", async (_title, engines, expected) => {
  expect(await chooseNode(engines, { machine, own })).toBe(expected);
});

test("chooseNode() selects our own Node if the machine has none", async () => {
  expect(await chooseNode([">=30"], { machine: undefined, own })).toBe(own);
});

// The rules that a Python guest installs: bytes that leave only its process id open.
import { expect, test } from "vitest";
import { toPythonRules } from "../../../../src/executors/engines/guest-files.js";
import { assemble, buildPythonFilter, toRuleset } from "../../../../src/executors/walls/kernel-rules.mjs";

test.each([
  ["x86_64", "x64"],
  ["aarch64", "arm64"],
] as const)(
  "toPythonRules() gives %s the finished filter, with the places of the process id",
  (machine, architecture) => {
    const { filter, processIdAt } = toPythonRules(true).machines[machine];
    const bytes = Buffer.from(filter, "base64");
    for (const at of processIdAt) bytes.writeUInt32LE(77, at);

    expect(processIdAt).toHaveLength(2);
    expect(bytes).toEqual(assemble(buildPythonFilter({ architecture, processId: 77, hasOwnMounts: true })));
  },
);

test("toPythonRules() gives a ruleset for each Landlock version", () => {
  const { rulesets } = toPythonRules(false);

  expect(rulesets.map((text) => Buffer.from(text, "base64"))).toEqual([1, 2, 3, 4, 5, 6].map(toRuleset));
});

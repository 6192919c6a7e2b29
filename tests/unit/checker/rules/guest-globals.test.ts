import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { absentGlobals, guestGlobals } from "../../../../src/checker/rules/guest-globals.js";

const world = readFileSync(new URL("../../../../src/checker/world.d.mts", import.meta.url), "utf8");
const declared = [...world.matchAll(/^declare (?:const|class|function) (\w+)/gm)].map(
  ([, name = ""]) => name,
);

it("every name of the world is one that programs may use", () => {
  expect(declared).toContain("console");
  expect(declared.filter((name) => !guestGlobals.has(name))).toEqual([]);
});

it("every name that programs may use is the language's, the world's, or one of those that call tools", () => {
  const others = [...guestGlobals].filter((name) => !(name in globalThis) && !declared.includes(name));

  // `arguments` is in functions only; the engine of these tests may lack the language's newest.
  expect(
    others.filter((name) => !["Temporal", "Float16Array", "AsyncIterator", "arguments"].includes(name)),
  ).toEqual(["callMCPTool", "callTool", "servers"]);
});

it("no name both exists and does not", () => {
  expect([...absentGlobals.keys()].filter((name) => guestGlobals.has(name))).toEqual([]);
});

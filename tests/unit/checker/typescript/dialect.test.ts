// The names that programs may use match the declared ones.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { absentGlobals, guestGlobals } from "../../../../src/checker/typescript/dialect.js";

const world = readFileSync(new URL("../../../../src/checker/world.d.mts", import.meta.url), "utf8");
const declared = [...world.matchAll(/^declare (?:const|class|function) (\w+)/gm)].map(
  ([, name = ""]) => name,
);

it("programs may use every name declared in world.d.mts", () => {
  expect(declared).toContain("console");
  expect(declared.filter((name) => !guestGlobals.has(name))).toEqual([]);
});

it("every name that programs may use is built in, declared in world.d.mts or calls tools", () => {
  const others = [...guestGlobals].filter((name) => !(name in globalThis) && !declared.includes(name));

  // `arguments` exists only in functions, and the engine of these tests may lack the newest names.
  expect(
    others.filter((name) => !["Temporal", "Float16Array", "AsyncIterator", "arguments"].includes(name)),
  ).toEqual(["callMCPTool", "callTool", "servers"]);
});

it("no name is both available and absent", () => {
  expect([...absentGlobals.keys()].filter((name) => guestGlobals.has(name))).toEqual([]);
});

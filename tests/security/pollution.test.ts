// Prototype pollution in both directions: from the guest's arguments and results into the host, and between runs.
import { type Attempt, testAttempts } from "./support/attempts.js";

const attempts: readonly Attempt[] = [
  {
    name: "__proto__ in arguments",
    code: `return await tools.echo(JSON.parse('{"__proto__":{"polluted":1}}'));`,
  },
  {
    name: "constructor.prototype in arguments",
    code: `return await tools.echo({ constructor: { prototype: { polluted: 1 } } });`,
  },
  {
    name: "__proto__ as the returned value",
    code: `return JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');`,
    ends: "completed",
  },
  {
    name: "__proto__ in a printed value",
    code: `console.log(JSON.parse('{"__proto__":{"polluted":1}}')); return 1;`,
    value: 1,
  },
  {
    name: "Object.prototype changed before a call",
    code: `Object.prototype.polluted = "yes"; Object.prototype.isAnswer = false; Object.prototype.type = "run"; await tools.echo({}); return 1;`,
    value: 1,
  },
  {
    name: "Object.prototype with a setter for header fields",
    code: `for (const name of ["run", "call", "type", "status", "reason", "body"]) Object.defineProperty(Object.prototype, name, { set() { throw new Error("trap"); }, get() { return 666; }, configurable: true }); return await tools.echo({ a: 1 }).then(() => 1);`,
  },
  {
    name: "Array.prototype with an index setter",
    code: `Object.defineProperty(Array.prototype, "0", { set() {}, get() { return "stolen"; }, configurable: true }); await tools.echo([1]); return 1;`,
  },
  {
    name: "a poisoned toString of the value",
    code: `return { toString() { throw new Error("trap"); }, valueOf() { throw new Error("trap"); }, a: 1 };`,
    value: { a: 1 },
  },
  {
    name: "a value whose toJSON never ends well",
    code: `return { toJSON() { throw new Error("trap"); } };`,
    ends: "failed",
  },
  { name: "a circular value", code: `const value = {}; value.self = value; return value;`, ends: "failed" },
  {
    name: "a BigInt",
    code: `return { value: 10n ** 12n };`,
    value: { value: 10 ** 12 },
  },
  {
    name: "a Map and a Set",
    code: `return { map: new Map([["a", 1]]), set: new Set([1, 2]) };`,
    value: { map: { a: 1 }, set: [1, 2] },
  },
  {
    name: "a function and a symbol",
    code: `return [() => {}, Symbol("x"), undefined];`,
    value: [null, null, null],
  },
  {
    name: "an exotic thrown value",
    code: `throw { get message() { throw new Error("trap"); }, get name() { throw 1; } };`,
    ends: "failed",
  },
  { name: "a thrown null", code: `throw null;`, ends: "failed" },
  {
    name: "a thrown Proxy",
    code: `throw new Proxy(new Error("x"), { get() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); } });`,
    ends: "failed",
  },
  { name: "an error with a huge message", code: `throw new Error("x".repeat(5e6));`, ends: "failed" },
  {
    name: "an error name with control characters",
    code: `const error = new Error("a\\u0000\\u001b[2Jb"); error.name = "\\n\\nforged: line"; throw error;`,
    ends: "failed",
  },
  {
    name: "a rejected promise nobody handles",
    code: `Promise.reject(new Error("lost")); return 1;`,
  },
  {
    name: "an exception in a timer",
    code: `setTimeout(() => { throw new Error("late"); }, 5); await sleep(50); return 1;`,
  },
];

await testAttempts("survives pollution and poisoned values", "typescript", attempts);

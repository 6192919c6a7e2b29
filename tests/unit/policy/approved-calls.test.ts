// Calls and programs against what a person approved: nothing that differs from what was shown passes.
import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, type ManifestCall, parseJson } from "../../../src/contracts/index.js";
import { findWider, fitsEntry, openApprovedCalls } from "../../../src/policy/index.js";
import { rounds } from "../../support/rounds.js";

const toEntry = (given: Partial<ManifestCall> = {}): ManifestCall => ({
  server: "mail",
  tool: "send",
  fingerprint: "f1",
  isReadOnly: false,
  effect: "write",
  line: 1,
  count: "once",
  max: 1,
  constants: { to: "ann@acme.com", copies: 1 },
  open: ["body"],
  ...given,
});
const toCall = (given: JsonObject, more: object = {}) => ({
  server: "mail",
  tool: "send",
  fingerprint: "f1",
  arguments: given,
  ...more,
});
const fair = { to: "ann@acme.com", copies: 1, body: "hello" };
const long = "x".repeat(5000);
const rich = toEntry({
  constants: { to: ["a@x.org", "b@x.org"], options: { deep: { flag: true } } },
  choices: { mode: ["slow", null] },
  digests: { text: hash("sha256", JSON.stringify(long)) },
  open: [],
});
const richFair = { to: ["a@x.org", "b@x.org"], options: { deep: { flag: true } }, text: long, mode: "slow" };

/** What a program or a guest could send in place of the approved call. */
const forgedCalls: Readonly<Record<string, ReturnType<typeof toCall>>> = {
  "another recipient": toCall({ ...fair, to: "eve@evil.org" }),
  "the recipient in capitals": toCall({ ...fair, to: "ANN@ACME.COM" }),
  "a space after the recipient": toCall({ ...fair, to: "ann@acme.com " }),
  "an invisible character": toCall({ ...fair, to: "ann@acme.com\u200b" }),
  "a letter that looks the same": toCall({ ...fair, to: "аnn@acme.com" }),
  "a second recipient in the text": toCall({ ...fair, to: "ann@acme.com, eve@evil.org" }),
  "a list instead of a text": toCall({ ...fair, to: ["ann@acme.com"] }),
  "a list with one more": toCall({ ...fair, to: ["ann@acme.com", "eve@evil.org"] }),
  "an object instead of a text": toCall({ ...fair, to: { address: "ann@acme.com" } }),
  "null instead of a text": toCall({ ...fair, to: null }),
  "no recipient": toCall({ copies: 1, body: "hello" }),
  "the name in capitals": toCall({ To: "ann@acme.com", copies: 1 }),
  "a second name in capitals": toCall({ ...fair, To: "eve@evil.org" }),
  "one more argument": toCall({ ...fair, bcc: "eve@evil.org" }),
  "a name with an invisible character": toCall({ ...fair, "to\u200b": "eve@evil.org" }),
  "the prototype as an argument": toCall(
    parseJson(`{"to":"ann@acme.com","copies":1,"__proto__":{"x":1}}`) as JsonObject,
  ),
  "a constructor as an argument": toCall({ ...fair, constructor: "x" }),
  "a text for a number": toCall({ ...fair, copies: "1" }),
  "true for a number": toCall({ ...fair, copies: true }),
  "a number that is almost the same": toCall({ ...fair, copies: 1.0000001 }),
  "a larger number": toCall({ ...fair, copies: 2 }),
  "an integer beyond 2^53": toCall({ ...fair, copies: parseJson("100000000000000000001") as Json }),
  "the same name twice": toCall(
    parseJson(`{"to":"ann@acme.com","copies":1,"to":"eve@evil.org"}`) as JsonObject,
  ),
  "another tool": toCall(fair, { tool: "delete" }),
  "the tool in capitals": toCall(fair, { tool: "Send" }),
  "another server": toCall(fair, { server: "mail2" }),
  "a tool that has changed": toCall(fair, { fingerprint: "f2" }),
  "a tool without a fingerprint": toCall(fair, { fingerprint: "" }),
};
const forgedRich: Readonly<Record<string, JsonObject>> = {
  "a list in another order": { ...richFair, to: ["b@x.org", "a@x.org"] },
  "a longer list": { ...richFair, to: ["a@x.org", "b@x.org", "eve@evil.org"] },
  "a shorter list": { ...richFair, to: ["a@x.org"] },
  "a changed field deep inside": { ...richFair, options: { deep: { flag: false } } },
  "a further field deep inside": { ...richFair, options: { deep: { flag: true, more: 1 } } },
  "a long text with one other letter": { ...richFair, text: `${long.slice(1)}y` },
  "no long text": { to: richFair.to, options: richFair.options, mode: "slow" },
  "a value that is none of the alternatives": { ...richFair, mode: "fast" },
};

describe("an approved call", () => {
  it("fits with the approved constants in any order, and any value where that was shown", () => {
    expect(fitsEntry(toEntry(), toCall(fair))).toBe(true);
    expect(fitsEntry(toEntry(), toCall({ body: ["x"], copies: 1, to: "ann@acme.com" }))).toBe(true);
    expect(fitsEntry(toEntry(), toCall({ copies: 1, to: "ann@acme.com" }))).toBe(true);
    expect(fitsEntry(rich, toCall(richFair))).toBe(true);
    const { mode: _, ...without } = richFair;
    expect(fitsEntry(rich, toCall(without))).toBe(true);
  });

  it.each(Object.entries(forgedCalls))("does not cover %s", (_title, call) => {
    expect(fitsEntry(toEntry(), call)).toBe(false);
  });

  it.each(Object.entries(forgedRich))("does not cover %s", (_title, given) => {
    expect(fitsEntry(rich, toCall(given))).toBe(false);
  });

  it("that may have any other argument still has its constants, whatever their case", () => {
    const open = toEntry({ isOpen: true });
    expect(fitsEntry(open, toCall({ ...fair, bcc: "x" }))).toBe(true);
    expect(fitsEntry(open, toCall({ ...fair, To: "eve@evil.org" }))).toBe(false);
    expect(fitsEntry(open, toCall({ ...fair, to: "eve@evil.org" }))).toBe(false);
  });
});

describe("approved calls", () => {
  it("are used up", () => {
    const { find, take } = openApprovedCalls(
      new Map([
        ["a", toEntry()],
        ["b", toEntry({ max: 2 })],
      ]),
    );
    const ids = find(toCall(fair));
    expect(ids).toEqual(["a", "b"]);
    expect([1, 2, 3, 4].map(() => take(ids))).toEqual([true, true, true, false]);
    expect(take([])).toBe(false);
    expect(take(["unknown"])).toBe(false);
  });

  it("never use up the entry that only a later call fits", () => {
    const one = toEntry({ constants: { to: "a" }, open: ["copies", "body"] });
    const other = toEntry({ constants: { copies: 1 }, open: ["to", "body"] });
    const { find, take } = openApprovedCalls(
      new Map([
        ["1", one],
        ["2", other],
      ]),
    );
    expect(take(find(toCall({ to: "a", copies: 1 })))).toBe(true);
    expect(take(find(toCall({ to: "a", copies: 2 })))).toBe(true);
    expect(take(find(toCall({ to: "a", copies: 1 })))).toBe(false);
  });

  it("are counted like a search through every assignment", () => {
    const id = fc.integer({ min: 0, max: 3 });
    const bounds = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(bounds, fc.array(fc.uniqueArray(id), { maxLength: 8 }), (capacity, made) => {
        const entries = new Map(capacity.map((max, at) => [String(at), toEntry({ max })]));
        const { take } = openApprovedCalls(entries);
        let states = new Set([capacity.join()]);
        for (const ids of made) {
          const next = new Set<string>();
          for (const state of states)
            for (const at of ids) {
              const left = state.split(",").map(Number);
              if ((left[at] ?? 0) === 0) continue;
              left[at] = (left[at] ?? 0) - 1;
              next.add(left.join());
            }
          expect(take(ids.map(String))).toBe(next.size > 0);
          if (next.size > 0) states = next;
        }
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });
});

describe("a changed program", () => {
  const approved = [toEntry(), toEntry({ line: 2, constants: { to: "bob@acme.com", copies: 1 } })];
  const loop = toEntry({ count: "many", max: 100, constants: {}, open: ["to", "copies", "body"] });

  it("needs no approval if it does no more", () => {
    expect(findWider([...approved].reverse(), approved)).toEqual([]);
    expect(findWider([toEntry({ line: 9, constants: { ...fair, body: "x" }, open: [] })], approved)).toEqual(
      [],
    );
    expect(findWider([toEntry({ max: 40 }), toEntry({ max: 60 })], [loop])).toEqual([]);
  });

  it.each<[string, readonly ManifestCall[], readonly ManifestCall[]]>([
    ["another recipient", [toEntry({ constants: { to: "eve@evil.org", copies: 1 } })], approved],
    ["any recipient", [toEntry({ constants: { copies: 1 }, open: ["to", "body"] })], approved],
    ["the same call twice", [toEntry(), toEntry({ line: 3 })], approved],
    ["the same call in a loop", [toEntry({ count: "many", max: 100 })], approved],
    ["more rounds of a loop", [toEntry({ max: 101 })], [loop]],
    ["two loops for one", [toEntry({ max: 60 }), toEntry({ max: 60 })], [loop]],
    ["one more argument", [toEntry({ constants: { ...fair, bcc: "x" } })], approved],
    ["any other argument", [toEntry({ isOpen: true })], approved],
    ["an argument less", [toEntry({ constants: { to: "ann@acme.com" } })], approved],
    ["a tool that has changed", [toEntry({ fingerprint: "f2" })], approved],
    ["another tool", [toEntry({ tool: "delete" })], approved],
    ["another server", [toEntry({ server: "post" })], approved],
    [
      "one of two recipients",
      [toEntry({ constants: { copies: 1 }, choices: { to: ["ann@acme.com", "eve@evil.org"] } })],
      approved,
    ],
    ["another long text", [toEntry({ ...rich, digests: { text: "0".repeat(64) } })], [rich]],
    ["one more alternative", [toEntry({ ...rich, choices: { mode: ["slow", "fast"] } })], [rich]],
    [
      "a name in capitals beside any arguments",
      [toEntry({ isOpen: true, open: ["To", "body"] })],
      [toEntry({ isOpen: true })],
    ],
    ["an approval that is empty", [toEntry()], []],
  ])("needs approval for %s", (_title, wanted, known) => {
    expect(findWider(wanted, known).length).toBeGreaterThan(0);
  });
});

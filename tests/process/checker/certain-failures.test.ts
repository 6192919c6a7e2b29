// Mistakes that are certain to fail after an earlier write: the TypeScript check refuses them, and no program that may work.
import { afterAll, describe, expect, it } from "vitest";
import { openChecker } from "../../../src/checker/typescript/check-typescript.js";
import { toRequest } from "../../unit/checker/servers.js";
import { shopOptions } from "../../unit/checker/shop.js";

const checker = openChecker();
afterAll(() => checker.close());

const check = async (program: string, options: Parameters<typeof toRequest>[1] = {}) =>
  (await checker.check(await toRequest(program, { ...shopOptions, ...options }))).diagnostics;

const skill = 'import { dbBackup, copy, loose, many } from "skills/db-backup";\n';

type Case = readonly [title: string, program: string, code: string, words: string];

const refused: readonly Case[] = [
  [
    "a misspelt argument in a spread list",
    "const args = [{ titel: 'x' }]; await shop.createIssue(...args);",
    "ARGUMENT_UNKNOWN",
    '"title"',
  ],
  [
    "a misspelt argument in a spread constant list",
    "const args = [{ titel: 'x' }] as const; await shop.createIssue(...args);",
    "ARGUMENT_UNKNOWN",
    '"title"',
  ],
  [
    "a wrong value in a constant",
    "const given = { title: 'a', state: 'opened' } as const; await shop.createIssue(given);",
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "a misspelt argument in a spread object",
    "const extra = { titel: 'x' }; await shop.createIssue({ title: 'a', ...extra });",
    "ARGUMENT_UNKNOWN",
    '"titel"',
  ],
  [
    "a wrong value in an object spread twice",
    "const extra = { state: 'opened' }; await shop.createIssue({ title: 'a', ...extra }); await shop.createIssue({ title: 'b', ...extra });",
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "an enum value from a function",
    "const f = () => 'opened'; await shop.createIssue({ title: 'a', state: f() });",
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "an enum value from an async function",
    "const f = async () => 'opened'; await shop.createIssue({ title: 'a', state: await f() });",
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  [
    "arguments that a function returns",
    "const make = () => ({ titel: 'x' }); await shop.createIssue(make());",
    "ARGUMENT_UNKNOWN",
    '"title"',
  ],
  [
    "a parameter of the wrong type in every call",
    "const f = (t) => shop.createIssue({ title: t }); await f(5); await f(true);",
    "ARGUMENT_WRONG",
    '"title" is 5',
  ],
  [
    "a parameter that is also printed",
    "const f = (t) => { console.log(t); return shop.createIssue({ title: `${t}`, state: t }); }; await f('opened');",
    "ARGUMENT_WRONG",
    '"state" is "opened"',
  ],
  [
    "an item of a list literal",
    "for (const state of ['opened', 'shut']) await shop.createIssue({ title: 'a', state });",
    "ARGUMENT_WRONG",
    '"state" is "opened"',
  ],
  ["a misspelt argument of a skill", `${skill}await dbBackup({ kei: 'x' });`, "ARGUMENT_UNKNOWN", '"key"'],
  ["a missing argument of a skill", `${skill}await dbBackup({ limit: 1 });`, "ARGUMENT_MISSING", '"key"'],
  ["an argument of the wrong type for a skill", `${skill}await copy(5);`, "ARGUMENT_WRONG", '"from" is 5'],
  [
    "a skill imported as a namespace",
    'import * as backup from "skills/db-backup";\nawait backup.dbBackup({});',
    "ARGUMENT_MISSING",
    '"key"',
  ],
  [
    "the default export of a skill",
    'import words from "skills/db-backup";\nawait words("x");',
    "ARGUMENT_WRONG",
    '"x"',
  ],
  ["a misspelt function of skills", "await skills.saev({});", "NAME_UNKNOWN", "skills.save"],
  [
    "a misspelt argument of skills.save",
    "await skills.save({ nam: 'x', code: 'return 1' });",
    "ARGUMENT_UNKNOWN",
    '"name"',
  ],
  ["a function that memory lacks", "await memory.sett('a', 1);", "NAME_UNKNOWN", "memory.save"],
  ["memory.save without a key", "await memory.save();", "ARGUMENT_MISSING", "memory.save(key, value"],
  ["memory.load with a number", "await memory.load(7);", "ARGUMENT_WRONG", '"key" is 7'],
  [
    "a function that the workspace lacks",
    "await workspace.raedText('a');",
    "NAME_UNKNOWN",
    '"workspace.readText"',
  ],
  ["workspace.writeText with a number alone", "await workspace.writeText(1);", "ARGUMENT_MISSING", '"text"'],
  ["workspace.readText with a number", "await workspace.readText(1);", "ARGUMENT_WRONG", '"path" is 1'],
  [
    "a function that memory lacks, through an alias",
    "const store = memory; await store.sett('a', 1);",
    "FIELD_UNKNOWN",
    '"sett"',
  ],
  [
    "a function that a stored value lacks",
    "const rows = await keep([1]); return rows.lod();",
    "FIELD_UNKNOWN",
    '"lod"',
  ],
  ["workspace.writeText without a text", "await workspace.writeText('a');", "ARGUMENT_MISSING", '"text"'],
  ["fs.writeFile without data", "await fs.writeFile('a');", "ARGUMENT_MISSING", '"data"'],
  [
    "a call of an imported function without its path argument",
    'import { readFile } from "fs/promises";\nawait readFile();',
    "ARGUMENT_MISSING",
    '"path"',
  ],
  [
    "a function that an imported memory lacks",
    'import { memory } from "workspace";\nawait memory.sav("a", 1);',
    "NAME_UNKNOWN",
    '"memory.save"',
  ],
  [
    "an argument of a tool that takes none",
    "await shop.pingAll({ a: 1 });",
    "ARGUMENT_UNKNOWN",
    'unknown argument "a"',
  ],
];

/** Refused without following values. */
const stillRefused: readonly Case[] = [
  [
    "enum values from a function, none of which fits",
    "function f(b: boolean) { if (b) return 'opened'; return 'shut'; } await shop.createIssue({ title: 'a', state: f(true) });",
    "ARGUMENT_WRONG",
    '"open" | "closed"',
  ],
  [
    "a choice of values, none of which fits",
    "await shop.createIssue({ title: 'a', state: Math.random() > 0.5 ? 'opened' : 'shut' });",
    "ARGUMENT_WRONG",
    '"opened"',
  ],
  ["a function that fs lacks", "await fs.readFil('a');", "IMPORT_UNKNOWN", "readFile"],
  [
    "a field that a closed result lacks",
    "const r = await shop.getClosed({ id: 1 }); return r.titel;",
    "FIELD_UNKNOWN",
    '"title"',
  ],
  [
    "a method of an open result, because answers contain no functions",
    "const r = await shop.getIssue({ id: 1 }); return r.extra();",
    "FIELD_UNKNOWN",
    '"extra"',
  ],
];

describe("checkProgram() refuses a program that is certain to fail after earlier writes:", () => {
  it.each([...refused, ...stillRefused])("%s", async (_title, program, code, words) => {
    const [first] = await check(program);

    expect(first).toMatchObject({ severity: "error", code });
    expect(`${first?.message}\n${first?.hint}`).toContain(words);
  });
});

describe("checkProgram() accepts a program that may work:", () => {
  it.each([
    [
      "values from a function, one of which fits",
      "const f = (b: boolean) => b ? 'opened' : 'closed'; await shop.createIssue({ title: 'a', state: f(true) });",
    ],
    [
      "a function that may return nothing",
      "const f = (b) => { if (b) return 'opened'; }; await shop.createIssue({ title: 'a', state: f(false) });",
    ],
    [
      "a spread after a wrong value",
      "const more = await memory.load('more'); await shop.createIssue({ title: 'a', state: 'opened', ...more });",
    ],
    [
      "a list that is changed before it is spread",
      "const args = [{ titel: 'x' }]; args[0] = { title: 'x' }; await shop.createIssue(...args);",
    ],
    [
      "a parameter that is tested first",
      "const f = (t) => typeof t === 'string' ? shop.createIssue({ title: t }) : undefined; await f(5);",
    ],
    [
      "a parameter that is right in one of the calls",
      "const f = (t) => shop.createIssue({ title: t }); try { await f(5); } catch {} await f('a');",
    ],
    [
      "items of a list, one of which fits",
      "for (const state of ['opened', 'open']) { try { await shop.createIssue({ title: 'a', state }); } catch {} }",
    ],
    [
      "a function that is passed on",
      "const f = (t) => shop.createIssue({ title: t }); await Promise.all(['a'].map(f));",
    ],
    [
      "functions that call each other",
      "const f = (n) => g(n), g = (n) => f(n); await shop.createIssue({ title: f(1), state: g(2) });",
    ],
    ["an argument of a tool whose empty schema is open", "await shop.pingSome({ a: 1 });"],
    [
      "a skill without its optional arguments",
      `${skill}await dbBackup({ key: 'x' }); await copy('a'); await many('a', 'b');`,
    ],
    ["skills.save with values in order", "await skills.save('n', 'return 1', { description: 'd' });"],
    [
      "skills.search with options",
      "await skills.search('n', { limit: 3 }); await skills.list(); await skills.show('n', 2);",
    ],
    [
      "built-in functions with all their arguments",
      "await memory.save('a', null, { b: 1 }); await memory.load('a', 0); await memory.list(); await workspace.list(); await workspace.writeText('a', `b${1}`); await fs.writeFile('a', new Uint8Array(2)); await getState(); await saveState({});",
    ],
    ...[
      "const api = { ok: () => true, late: async () => true }; return api.ok() ? await api.late() : 2;",
      "const api = { ok: async () => true }; return (await api.ok()) ? api.ok().then(String) : 2;",
      "const api = { ok: async () => true }; api.ok = () => false; return api.ok() ? 1 : 2;",
      "const api = { ok: async () => true }; api['o' + 'k'] = () => false; return api.ok() ? 1 : 2;",
      "const own = { ok: () => true }; const api = { ok: async () => true, ...own }; return api.ok() ? 1 : 2;",
      "const api = { ok: async () => true }; Object.assign(api, { ok: () => true }); return api.ok() ? 1 : 2;",
      "class Api { constructor() { this.ok = () => false; } async ok() { return true; } } const api = new Api(); return api.ok() ? 1 : 2;",
      "class Api { static async ok() { return true; } ok() { return true; } } const api = new Api(); return api.ok() ? 1 : 2;",
      "const api = { get ok() { return () => true; } }; return api.ok() ? 1 : 2;",
    ].map((program, at) => [`a method of the program's own, written in way ${at + 1}`, program]),
    ["a variable with the name of a built-in object", "const memory = { sett: () => 1 }; memory.sett();"],
    ["a built-in function that may be missing", "await memory.sett?.('a');"],
  ])("%s", async (_title, program) => {
    expect(await check(program)).toEqual([]);
  });

  it("an untyped parameter of a skill, with a warning", async () => {
    expect(await check(`${skill}await loose({ a: 1 });`)).toMatchObject([
      { severity: "warning", code: "ARGUMENT_MISSING" },
    ]);
  });

  it("an argument that a skill does not accept, with a warning", async () => {
    expect(await check(`${skill}await dbBackup({ key: "x", kei: "y" });`)).toMatchObject([
      { severity: "warning", code: "ARGUMENT_UNKNOWN" },
    ]);
  });

  it.each([
    ["a field", "const r = await shop.getIssue({ id: 1 }); return r.extra;", "declares no such field"],
    [
      "a misspelt field",
      "const r = await shop.getIssue({ id: 1 }); return r.titel;",
      'did you mean "title"?',
    ],
    [
      "a field of an item",
      "const r = await shop.getIssue({ id: 1 }); return r.labels.map((label) => label.colour);",
      "declares no such field",
    ],
  ])("%s that an open result does not declare, with a warning", async (_title, program, words) => {
    const found = await check(program);

    expect(found).toMatchObject([{ severity: "warning", code: "FIELD_UNKNOWN" }]);
    expect(found[0]?.message).toContain(words);
  });

  it("a built-in name in a session, with a warning, because an earlier program may have declared it", async () => {
    expect(await check("await memory.sett('a');", { isSession: true })).toMatchObject([
      { severity: "warning", code: "NAME_UNKNOWN" },
    ]);
  });
});

describe("a server that could not be listed", () => {
  it.each([
    ["its global", "await shop.pingAll();\nawait offline.anything({ a: 1 });", 2],
    ["an import", 'import { anything } from "servers/offline";\nawait anything();', 1],
    ["its name in a string", 'await shop.pingAll();\nawait callTool("offline", "anything", {});', 2],
  ])("is reported where a program uses it by %s", async (_title, program, line) => {
    expect(await check(program, { unlisted: ["offline"] })).toMatchObject([
      {
        severity: "warning",
        code: "NOT_CHECKED",
        line,
        message: 'The server "offline" could not be listed: its calls were not checked',
      },
    ]);
  });

  it("is not reported if a variable has its name", async () => {
    expect(await check("const offline = { a: 1 }; return offline.a;", { unlisted: ["offline"] })).toEqual([]);
  });
});

describe("functions that return one of many values", () => {
  it("do not make the check take exponential time", async () => {
    const lines = ["const f0 = (x) => x ? 'a' : 'b';"];
    for (let at = 1; at < 200; at++) lines.push(`const f${at} = (x) => x ? f${at - 1}(x) : f${at - 1}(x);`);

    expect(await check(`${lines.join("\n")}\nawait shop.createIssue({ title: f199(1) });`)).toEqual([]);
  });
});

// The TypeScript check with the real compiler: what it refuses, what it warns about, and which calls it finds.
import { afterAll, describe, expect, it } from "vitest";
import type { CheckedServer, Diagnostic } from "../../../src/checker/check.js";
import { openChecker } from "../../../src/checker/typescript/check-typescript.js";
import type { Compiler } from "../../../src/checker/typescript/types/compiler.js";
import { type Mistake, servers, toRequest } from "../../unit/checker/servers.js";

const checker = openChecker();
const plain = openChecker({ compiler: undefined });
afterAll(() => checker.close());

const check = async (program: string, options: Parameters<typeof toRequest>[1] = {}) =>
  checker.check(await toRequest(program, options));

const issue = 'owner: "a", repo: "b", title: "c"';

const mistakes: readonly Mistake[] = [
  [
    "a name that the library does not have",
    'import { listTool } from "servers";\nawait listTool();',
    "IMPORT_UNKNOWN",
    "1:10",
    ['"listTools"'],
  ],
  [
    "a wrong tool of a server read from the library",
    'import { github } from "servers";\nawait github.createIssu({});',
    "TOOL_UNKNOWN",
    "2:14",
    ['"createIssue"'],
  ],
  ["a misspelt discovery function", 'await serchTools("x");', "NAME_UNKNOWN", "1:7", ['"searchTools"']],
  [
    "a tool that the server does not have",
    `await github.createIssu({ ${issue} });`,
    "TOOL_UNKNOWN",
    "1:14",
    ['"createIssue"', "github.createIssue(args: { owner: string"],
  ],
  [
    "a tool that is imported under a wrong name",
    'import { lstIssues } from "servers/github";\nawait lstIssues({});',
    "TOOL_UNKNOWN",
    "1:10",
    ['"listIssues"'],
  ],
  [
    "the module of a tool that does not exist",
    'import list from "servers/github/listIsues";\nawait list({});',
    "TOOL_UNKNOWN",
    "1:18",
    ['"listIssues"'],
  ],
  [
    "a tool destructured from its server under a wrong name",
    'const { readFil } = myFiles;\nawait readFil({ path: "a" });',
    "TOOL_UNKNOWN",
    "2:7",
    ['"readFile"'],
  ],
  [
    "a wrong tool called by name",
    'await callTool("github", "create_isue", {});',
    "TOOL_UNKNOWN",
    "1:26",
    ['"createIssue"'],
  ],
  [
    "a wrong tool called by its qualified name",
    'await callMCPTool("my-files__raed_file", { path: "a" });',
    "TOOL_UNKNOWN",
    "1:19",
    ['"readFile"'],
  ],
  [
    "a wrong tool of a server looked up by name",
    'await servers["my-files"].readFil({ path: "a" });',
    "TOOL_UNKNOWN",
    "1:27",
    ['"readFile"'],
  ],
  [
    "a server that is not connected",
    "await servers.githb.listIssues({});",
    "SERVER_UNKNOWN",
    "1:7",
    ['"github"'],
  ],
  [
    "a server that is imported under a wrong name",
    'import { listIssues } from "servers/gitub";\nawait listIssues({});',
    "IMPORT_UNKNOWN",
    "1:28",
    ['"servers/github"'],
  ],
  ["a package", 'import os from "node:os";\nos.cpus();', "IMPORT_UNKNOWN", "1:16", ["servers/"]],
  [
    "a package imported dynamically",
    'const x = await import("axios");',
    "IMPORT_UNKNOWN",
    "1:17",
    ["servers/"],
  ],
  [
    "a missing argument",
    'await github.createIssue({ owner: "a", repo: "b" });',
    "ARGUMENT_MISSING",
    "1:26",
    ['"title" is missing', "title: string"],
  ],
  ["no argument at all", "await myFiles.readFile();", "ARGUMENT_MISSING", "1:7", ['"path"']],
  [
    "a misspelt argument",
    'await github.createIssue({ owner: "a", repo: "b", titel: "c" });',
    "ARGUMENT_UNKNOWN",
    "1:51",
    ['unknown argument "titel"', '"title"'],
  ],
  [
    "a misspelt argument that is optional",
    `await github.createIssue({ ${issue}, label: ["x"] });`,
    "ARGUMENT_UNKNOWN",
    "1:63",
    ['"labels"'],
  ],
  [
    "a misspelt field within an argument",
    `await github.createIssue({ ${issue}, assignee: { logn: "x" } });`,
    "ARGUMENT_UNKNOWN",
    "1:75",
    ['"assignee.logn"', '"login"'],
  ],
  [
    "an argument of the wrong type",
    'await github.createIssue({ owner: 5, repo: "b", title: "c" });',
    "ARGUMENT_WRONG",
    "1:35",
    ['"owner" is 5, expected string'],
  ],
  [
    "null where a string is expected",
    'await github.createIssue({ owner: null, repo: "b", title: "c" });',
    "ARGUMENT_WRONG",
    "1:35",
    ['"owner" is null'],
  ],
  [
    "an item of the wrong type",
    `await github.createIssue({ ${issue}, labels: ["x", 1] });`,
    "ARGUMENT_WRONG",
    "1:77",
    ['"labels[1]"'],
  ],
  [
    "a wrong value of an enum",
    'await github.listIssues({ owner: "a", repo: "b", state: "opened" });',
    "ARGUMENT_WRONG",
    "1:57",
    ['"open" | "closed" | "all"', 'did you mean "open"'],
  ],
  [
    "a wrong value of an enum through a constant",
    'const state = "opened";\nawait github.listIssues({ owner: "a", repo: "b", state });',
    "ARGUMENT_WRONG",
    "2:50",
    ['"open" | "closed" | "all"'],
  ],
  [
    "a wrong positional value",
    'await myFiles.writeFile("a", 5);',
    "ARGUMENT_WRONG",
    "1:30",
    ['"content" is 5'],
  ],
  [
    "more values than the tool takes",
    'await myFiles.writeFile("a", "b", "c");',
    "ARGUMENT_UNKNOWN",
    "1:35",
    ["too many values"],
  ],
  [
    "wrong arguments in a separate object",
    'const args = { owner: "a", repo: "b", titel: "c" };\nawait github.createIssue(args);',
    "ARGUMENT_UNKNOWN",
    "1:39",
    ['"title"'],
  ],
  [
    "a field of an answer that was not awaited",
    'const page = github.listIssues({ owner: "a", repo: "b" });\nreturn page.items;',
    "AWAIT_MISSING",
    "2:8",
    ["await", "github.listIssues"],
  ],
  [
    "destructuring an answer that was not awaited",
    'const { items } = github.listIssues({ owner: "a", repo: "b" });\nreturn items;',
    "AWAIT_MISSING",
    "1:19",
    ["await"],
  ],
  [
    "an answer that was not awaited in a template",
    'const text = myFiles.readFile({ path: "a" });\nconsole.log(`the text: ${text}`);',
    "AWAIT_MISSING",
    "2:26",
    ["await"],
  ],
  [
    "an answer that was not awaited in a condition",
    'if (myFiles.readFile({ path: "a" })) console.log("there");',
    "AWAIT_MISSING",
    "1:5",
    ["await"],
  ],
  [
    "iterating over an answer that was not awaited",
    'for (const row of db.query({ sql: "x" })) console.log(row);',
    "AWAIT_MISSING",
    "1:19",
    ["await"],
  ],
  [
    "an answer that was not awaited as an argument",
    'await myFiles.writeFile({ path: "b", content: myFiles.readFile({ path: "a" }) });',
    "AWAIT_MISSING",
    "1:47",
    ["await"],
  ],
  ...(
    [
      ["a choice", "return ok() ? 1 : 2;", "2:8"],
      ["a condition", "if (ok()) return 1;", "2:5"],
      ["a negation", "return !ok();", "2:9"],
      ["a logical operator", "return ok() && 1;", "2:8"],
      ["a comparison", "return ok() === true;", "2:8"],
      ["a text", "return `it is ${ok()}`;", "2:17"],
      ["a variable that is tested", "const is = ok();\nreturn is ? 1 : 2;", "3:8"],
    ] as const
  ).map(
    ([place, program, at]) =>
      [
        `the program's own async function, not awaited, in ${place}`,
        `const ok = async () => true;\n${program}`,
        "AWAIT_MISSING",
        at,
        ["await"],
      ] as const,
  ),
  ...[
    "const api = { ok: async () => true };\nreturn api.ok() ? 1 : 2;",
    "const api = { async ok() { return true; } };\nif (api.ok()) return 1;",
    "class Api { async ok() { return true; } } const api = new Api();\nreturn !api.ok();",
    'const api = { read: async (path: string) => myFiles.readFile({ path }) };\nreturn `${api.read("a")}`;',
  ].map(
    (program, at) =>
      [
        `an async method that is not awaited, written in way ${at + 1}`,
        program,
        "AWAIT_MISSING",
        ["2:8", "2:5", "2:9", "2:11"][at] ?? "",
        ["await"],
      ] as const,
  ),
  [
    "a tool that is returned instead of called",
    "return github.listIssues;",
    "NOT_CALLABLE",
    "1:8",
    ["call it", "listIssues"],
  ],
  [
    "a tool that is awaited instead of called",
    "return await github.listIssues;",
    "NOT_CALLABLE",
    "1:14",
    ["call it"],
  ],
  [
    "a tool in a text instead of its answer",
    "return `${github.listIssues}`;",
    "NOT_CALLABLE",
    "1:11",
    ["call it"],
  ],
  [
    "a list filtered by an async function",
    'const all = ["a", "b"];\nreturn all.filter(async (path) => (await myFiles.readFile({ path })) !== "");',
    "AWAIT_MISSING",
    "2:19",
    ["await Promise.all", "always counts as true"],
  ],
  [
    "a list filtered by an async function without a tool",
    "return [1, 2].filter(async (n) => n > 1);",
    "AWAIT_MISSING",
    "1:22",
    ["await Promise.all", "always counts as true"],
  ],
  [
    "a list searched by an async function declared elsewhere",
    "const isLarge = async (n) => n > 1;\nreturn [1, 2].some(isLarge);",
    "AWAIT_MISSING",
    "2:20",
    ["always counts as true"],
  ],
  [
    "a list filtered by promises",
    'const all = ["a", "b"];\nreturn all.filter((path) => myFiles.readFile({ path }));',
    "AWAIT_MISSING",
    "2:29",
    ["await"],
  ],
  [
    "a list searched by promises that a block returns",
    'const all = ["a", "b"];\nreturn all.find((path) => {\n  return myFiles.readFile({ path });\n});',
    "AWAIT_MISSING",
    "3:10",
    ["await"],
  ],
  [
    "a list of promises, turned into JSON",
    'const all = ["a", "b"];\nreturn JSON.stringify(all.map((path) => myFiles.readFile({ path })));',
    "AWAIT_MISSING",
    "2:41",
    ["await"],
  ],
  [
    "a list of promises, printed",
    'console.log([myFiles.readFile({ path: "a" }), 1]);',
    "AWAIT_MISSING",
    "1:14",
    ["await"],
  ],
  [
    "a list of promises, joined",
    'return ["a"].map((path) => myFiles.readFile({ path })).join(", ");',
    "AWAIT_MISSING",
    "1:28",
    ["await"],
  ],
  [
    "an answer that was not awaited in a returned object",
    'return { text: myFiles.readFile({ path: "a" }) };',
    "AWAIT_MISSING",
    "1:16",
    ["await"],
  ],
  ["a name that does not exist", "return gihub.listIssues({});", "NAME_UNKNOWN", "1:8", ['"github"']],
  [
    "the network",
    'return await fetch("https://example.com");',
    "NAME_UNKNOWN",
    "1:14",
    ["connected server", "network.allow"],
  ],
  ["a process", "return process.env.HOME;", "NAME_UNKNOWN", "1:8", ["no process"]],
  [
    "a tool without its server",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn createIssue({});',
    "NAME_UNKNOWN",
    "2:8",
    ['"github.createIssue"'],
  ],
];

describe("checkProgram() with or without a compiler", () => {
  it.each(mistakes)("refuses %s", async (_title, program, code, place, words) => {
    for (const one of [checker, plain]) {
      const { diagnostics } = await one.check(await toRequest(program));
      const [first] = diagnostics;

      expect(first).toMatchObject({ severity: "error", code });
      expect(`${first?.line}:${first?.column}`).toBe(place);
      for (const word of words) expect(`${first?.message}\n${first?.hint}`).toContain(word);
    }
  });
});

const typedMistakes: readonly Mistake[] = [
  [
    "a discovery call that is not awaited",
    "return listTools().map(String);",
    "AWAIT_MISSING",
    "1:8",
    ["await"],
  ],
  [
    "a field that a declared result does not have",
    `const made = await github.createIssue({ ${issue} });\nreturn made.nmber;`,
    "FIELD_UNKNOWN",
    "2:13",
    ['"number"', "Fields: number, title, state", "github.createIssue("],
  ],
  [
    "a field of a nested object",
    `const { user } = await github.createIssue({ ${issue} });\nreturn user.name;`,
    "FIELD_UNKNOWN",
    "2:13",
    ["login, id"],
  ],
  [
    "a field of an item in a loop",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nfor (const one of page.items) console.log(one.titel);',
    "FIELD_UNKNOWN",
    "2:47",
    ['"title"', "github.listIssues"],
  ],
  [
    "a field of an item in a callback",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn page.items.map((one) => one.auther);',
    "FIELD_UNKNOWN",
    "2:36",
    ["user"],
  ],
  [
    "a field of a list instead of its items",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn page.items.title;',
    "FIELD_UNKNOWN",
    "2:19",
    ["an array", '"title"'],
  ],
  [
    "a field destructured from a declared result",
    `const { nmber } = await github.createIssue({ ${issue} });\nreturn nmber;`,
    "FIELD_UNKNOWN",
    "1:9",
    ['"number"'],
  ],
  [
    "a field of the result of a call by name",
    'const page = await callMCPTool("github__list_issues", { owner: "a", repo: "b" });\nreturn page.totl;',
    "FIELD_UNKNOWN",
    "2:13",
    ['"total"'],
  ],
  [
    "a field that no member of a union has",
    "const status = await github.getStatus();\nreturn status.dta;",
    "FIELD_UNKNOWN",
    "2:15",
    [],
  ],
  [
    "iterating over a declared object",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nfor (const one of page) console.log(one);',
    "NOT_ITERABLE",
    "2:19",
    ["items, total, next"],
  ],
  [
    "a call of a field of a declared result",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn page.total();',
    "NOT_CALLABLE",
    "2:13",
    [],
  ],
  [
    "a number in a variable where a string is expected",
    `const page = await github.listIssues({ owner: "a", repo: "b" });\nawait github.createIssue({ owner: "a", repo: "b", title: page.total });`,
    "ARGUMENT_WRONG",
    "2:58",
    ['"title" is number, expected string'],
  ],
  [
    "a list of promises used as answers",
    'const all = ["a", "b"].map((path) => myFiles.readFile({ path }));\nreturn all[0].length;',
    "AWAIT_MISSING",
    "2:8",
    ["await"],
  ],
  [
    "collected promises that were not awaited",
    'const [one] = Promise.all([db.query({ sql: "x" })]);\nreturn one;',
    "AWAIT_MISSING",
    "1:7",
    ["await"],
  ],
  [
    "a function of the program that was not awaited",
    'const load = async () => (await github.listIssues({ owner: "a", repo: "b" })).items;\nreturn load().length;',
    "AWAIT_MISSING",
    "2:8",
    ["await"],
  ],
  [
    "a method that lists do not have",
    'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn page.items.fliter(Boolean);',
    "FIELD_UNKNOWN",
    "2:19",
    [],
  ],
  ["a method that strings do not have", 'return "a,b".splitt(",");', "FIELD_UNKNOWN", "1:14", []],
  [
    "a tool that was not called",
    "return await github.listIssues.items;",
    "NOT_CALLABLE",
    "1:32",
    ["call it"],
  ],
];

describe("checkProgram() with a compiler", () => {
  it.each(typedMistakes)("refuses %s", async (_title, program, code, place, words) => {
    const [first, ...others] = (await check(program)).diagnostics;

    expect(first).toMatchObject({ severity: "error", code });
    expect(`${first?.line}:${first?.column}`).toBe(place);
    for (const word of words) expect(`${first?.message}\n${first?.hint}`).toContain(word);
    expect(others).toEqual([]);
  });

  it("reports positions in the submitted text", async () => {
    const { diagnostics } = await check(
      `\n\`\`\`ts\nimport { createIssue } from "./servers/github/createIssue.ts";\nconst made = await createIssue({ ${issue} });\n  return made.nmber;\n\`\`\``,
    );

    expect(diagnostics).toMatchObject([{ line: 5, column: 15, excerpt: "return made.nmber;" }]);
  });

  it("warns about a field that is only tested", async () => {
    const { diagnostics } = await check(
      'const page = await github.listIssues({ owner: "a", repo: "b" });\nreturn page.cursor ?? page.next;',
    );

    expect(diagnostics).toMatchObject([{ severity: "warning", code: "FIELD_UNKNOWN" }]);
  });

  it("warns about an error that depends on a learned type", async () => {
    const observed = servers.map(
      (server): CheckedServer => ({ ...server, observedTools: new Set(["list_issues"]) }),
    );
    const program = `const page = await github.listIssues({ owner: "a", repo: "b" });\nconst made = await github.createIssue({ ${issue} });\nreturn [page.totl, made.nmber];`;
    const { diagnostics } = await check(program, { servers: observed });

    expect(diagnostics).toMatchObject([
      { severity: "error", column: 25 },
      { severity: "warning", column: 14 },
    ]);
  });

  it("checks only names and imports if the program turns type checking off", async () => {
    const { diagnostics } = await check(
      "// @ts-nocheck\nconst made = github.createIssue({ titel: 1 });\nawait github.createIssu({});\nreturn made.nmber;",
    );

    expect(diagnostics).toMatchObject([{ code: "TOOL_UNKNOWN", line: 3 }]);
  });

  it("warns that types were not checked if the compiler fails, and accepts the program", async () => {
    const broken: Compiler = {
      compile: () => Promise.reject(new Error("it died")),
      close: () => {},
    };
    const { diagnostics } = await openChecker({ compiler: broken }).check(await toRequest("return 1;"));

    expect(diagnostics).toMatchObject([{ severity: "warning", code: "NOT_CHECKED" }]);
  });

  it("lists every mistake up to 50, and counts the others", async () => {
    const toLines = (count: number): string =>
      Array.from({ length: count }, (_one, index) => `await github.nothing${index}();`).join("\n");

    const few = await check(toLines(20));
    expect(few.diagnostics).toHaveLength(20);
    expect(few.omitted).toBeUndefined();
    const many = await check(toLines(53));
    expect(many.diagnostics).toHaveLength(50);
    expect(many.omitted).toBe(3);
  });
});

describe("checkProgram() of a session", () => {
  it("warns about an unknown name, because an earlier program may have declared it", async () => {
    const { diagnostics, manifest } = await check("return found.length;", { isSession: true });

    expect(diagnostics).toMatchObject([{ severity: "warning", code: "NAME_UNKNOWN" }]);
    expect(manifest.hasDynamicCalls).toBe(true);
  });

  it("still refuses names that no program can have", async () => {
    expect((await check('return fetch("x");', { isSession: true })).diagnostics).toMatchObject([
      { severity: "error" },
    ]);
  });
});

describe("checkProgram() warns about a call that is not awaited:", () => {
  it.each([
    ["by itself", 'myFiles.writeFile({ path: "a", content: "b" });'],
    ["in a variable that is never used", 'const done = myFiles.writeFile({ path: "a", content: "b" });'],
  ])("%s", async (_title, program) => {
    const { diagnostics } = await check(program);

    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "AWAIT_MISSING" } satisfies Partial<Diagnostic>,
    ]);
  });

  it("unless the program discards the promise explicitly", async () => {
    expect((await check('void myFiles.writeFile({ path: "a", content: "b" });')).diagnostics).toEqual([]);
  });
});

describe("the effect manifest", () => {
  const manifestOf = async (program: string) => (await plain.check(await toRequest(program))).manifest;

  it("has an entry for each place with its constant arguments", async () => {
    const manifest = await manifestOf(
      'import { listIssues } from "servers/github";\nconst page = await listIssues({ owner: "acme", repo: "web", page: Date.now() });\nawait myFiles.writeFile("a.txt", String(page.total));',
    );

    const fingerprint = expect.any(String);
    expect(manifest).toEqual({
      calls: [
        {
          server: "github",
          tool: "list_issues",
          fingerprint,
          isReadOnly: true,
          effect: "read",
          line: 2,
          count: "once",
          max: 1,
          constants: { owner: "acme", repo: "web" },
          open: ["page"],
        },
        {
          server: "my-files",
          tool: "write_file",
          fingerprint,
          isReadOnly: false,
          effect: "write",
          line: 3,
          count: "once",
          max: 1,
          constants: { path: "a.txt" },
          open: [],
          isOpen: true,
        },
      ],
      hasDynamicCalls: false,
    });
  });

  it.each([
    ["a loop", 'for (const path of ["a", "b"]) await myFiles.readFile({ path });'],
    ["a callback", 'await Promise.all(["a", "b"].map((path) => myFiles.readFile({ path })));'],
    ["a tool that is passed on", 'await Promise.all(["a", "b"].map(myFiles.readFile));'],
  ])("counts many calls in %s", async (_title, program) => {
    expect((await manifestOf(program)).calls).toMatchObject([
      { tool: "read_file", count: "many", max: 100, constants: {} },
    ]);
  });

  it("does not join two places that call the same tool", async () => {
    const { calls } = await manifestOf(
      'await github.listIssues({ owner: "a", repo: "x" });\nawait github.listIssues({ owner: "a", repo: "y" });',
    );

    expect(calls).toMatchObject([
      { line: 1, count: "once", constants: { owner: "a", repo: "x" } },
      { line: 2, count: "once", constants: { owner: "a", repo: "y" } },
    ]);
  });

  it("lists alternatives, long texts by their digest, and what stays open", async () => {
    const { calls } = await manifestOf(
      `const more = JSON.parse("{}");
await myFiles.writeFile({ path: Date.now() > 1 ? "a" : "b", content: "${"x".repeat(3000)}" });
await myFiles.writeFile({ ...more, content: "a" });
await github.listIssues({ owner: "a", repo: "x", page: 12345678901234567890 });`,
    );

    expect(calls).toMatchObject([
      {
        choices: { path: ["a", "b"] },
        constants: {},
        digests: { content: expect.stringMatching(/^[0-9a-f]{64}$/) },
        open: [],
      },
      { constants: { content: "a" }, isOpen: true },
      { constants: { owner: "a", repo: "x" }, open: ["page"] },
    ]);
  });

  it("says in which lines calls are only known at run time", async () => {
    const { dynamic } = await manifestOf('const name = "x" + "y";\nawait myFiles[name]();');
    expect(dynamic).toEqual([{ line: 2, excerpt: "await myFiles[name]();" }]);
  });

  it.each([
    [
      "a function that runs once",
      'const main = async () => myFiles.readFile({ path: "a" });\nreturn main();',
    ],
    ["the default export", 'export default async () => myFiles.readFile({ path: "a" });'],
  ])("counts one call in %s", async (_title, program) => {
    expect((await manifestOf(program)).calls).toMatchObject([{ count: "once" }]);
  });

  it.each([
    ["a computed tool", "await myFiles[name]();\nvar name = 'x';"],
    ["a computed server", "await servers[name].x();\nvar name = 'x';"],
    ["a name that is computed", "await callTool('github', name, {});\nvar name = 'x';"],
    ["a server that is passed on", "const use = (server) => server.anything();\nawait use(github);"],
    ["the global object", "await globalThis.github.listIssues({});"],
    ["a server whose tools are not known", "await offline.anything();"],
    [
      "the rest of a destructured server",
      "const { readFile, ...rest } = myFiles;\nawait rest.writeFile({});",
    ],
    ["a variable that may hold another server", "let one = github;\nawait one.listIssues({});"],
  ])("is marked dynamic for %s", async (_title, program) => {
    expect((await manifestOf(program)).hasDynamicCalls).toBe(true);
  });
});

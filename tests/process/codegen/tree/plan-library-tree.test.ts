// The library that people and agents read: complete, marked, deterministic, and valid source.
import { describe, expect, it } from "vitest";
import {
  generatedMarker,
  planServerTree,
  planTopFiles,
  toPackageNames,
} from "../../../../src/codegen/index.js";
import type { Language, LibraryFile, ServerCatalog } from "../../../../src/contracts/index.js";
import { hasCorpus, readCorpus, readGoldenCases, toCatalog } from "../../../unit/codegen/catalogs.js";
import { checkPython, compilePython, hasMypy, hasPython, runPython, writePython } from "../check-python.js";
import { compileStrictly } from "../compile-strictly.js";

const catalogs = readGoldenCases().map(({ catalog }) => catalog);
const everyday = catalogs.filter(({ server }) => server === "everyday");

const toMap = (files: readonly LibraryFile[]): ReadonlyMap<string, string> =>
  new Map(files.map(({ path, source }) => [path, source]));

const readFile = (files: readonly LibraryFile[], path: string): string =>
  files.find((file) => file.path === path)?.source ?? `There is no ${path}`;

const onlySources = (files: readonly LibraryFile[]): ReadonlyMap<string, string> =>
  toMap(files.filter(({ path }) => /\.m?ts$/.test(path)));

interface TreeOptions {
  readonly catalogs: readonly ServerCatalog[];
  readonly language: Language;
}

/** All files of a library, as `generate` puts them together. */
const planLibraryTree = async ({ catalogs, language }: TreeOptions) => {
  const sorted = [...catalogs].sort((one, other) => (one.server < other.server ? -1 : 1));
  const identifiers = new Map(catalogs.map(({ server, identifier }) => [server, identifier]));
  const folders = language === "python" ? toPackageNames(identifiers) : identifiers;
  const servers = sorted.map((catalog) => ({
    catalog,
    server: catalog.server,
    name: folders.get(catalog.server) ?? catalog.identifier,
    toolCount: catalog.tools.length,
  }));
  const trees = await Promise.all(
    servers.map(({ catalog, name }) => planServerTree({ catalog, language, folder: name })),
  );
  const files = [...trees.flatMap((tree) => tree.files), ...(await planTopFiles(language, servers))];
  return {
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    fallbacks: trees.flatMap(({ fallbacks }) => fallbacks),
  };
};

describe("the files of a library", () => {
  it("plans one file for each tool, an index and READMEs in TypeScript", async () => {
    const { files } = await planLibraryTree({ catalogs: everyday, language: "typescript" });
    expect(files.map(({ path }) => path)).toEqual([
      "servers/README.md",
      "servers/call-tool.d.mts",
      "servers/call-tool.mjs",
      "servers/call-tool.ts",
      "servers/everyday/README.md",
      "servers/everyday/callAnything.ts",
      "servers/everyday/createIssue.ts",
      "servers/everyday/index.d.mts",
      "servers/everyday/index.mjs",
      "servers/everyday/index.ts",
      "servers/everyday/ping.ts",
      "servers/package.json",
    ]);
  });

  it("plans one module for each tool, a package for each server and READMEs in Python", async () => {
    const { files } = await planLibraryTree({ catalogs: everyday, language: "python" });
    expect(files.map(({ path }) => path)).toEqual([
      "mcp_tools/README.md",
      "mcp_tools/__init__.py",
      "mcp_tools/_call.py",
      "mcp_tools/everyday/README.md",
      "mcp_tools/everyday/__init__.py",
      "mcp_tools/everyday/call_anything.py",
      "mcp_tools/everyday/create_issue.py",
      "mcp_tools/everyday/ping.py",
    ]);
  });

  it.each(["typescript", "python"] as const)("marks every file of %s in its first line", async (language) => {
    const { files } = await planLibraryTree({ catalogs, language });
    const unmarked = files.filter(({ source }) => !source.split("\n")[0]?.includes(generatedMarker));
    expect(unmarked.map(({ path }) => path)).toEqual([]);
  });

  it("puts the whole interface of a tool in one file", async () => {
    const { files } = await planLibraryTree({ catalogs: everyday, language: "typescript" });
    const source = readFile(files, "servers/everyday/createIssue.ts");
    expect(source).toContain("export type CreateIssueArguments = {");
    expect(source).toContain("export type CreateIssueResult = {");
    expect(source).toContain(
      'export function createIssue(args: CreateIssueArguments): Promise<CreateIssueResult> {\n  return callTool("everyday", "create_issue", args) as Promise<CreateIssueResult>;\n}',
    );
  });

  it("does not depend on the order of the servers", async () => {
    for (const language of ["typescript", "python"] as const)
      expect(await planLibraryTree({ catalogs: [...catalogs].reverse(), language })).toEqual(
        await planLibraryTree({ catalogs, language }),
      );
  });

  it("separates tools named like its own files, even if case does not matter", async () => {
    const tools = ["index", "Index", "con", "README", "callTool", "__init__"].map((name) => ({
      name,
      inputSchema: { type: "object" },
    }));
    for (const language of ["typescript", "python"] as const) {
      const { files } = await planLibraryTree({ catalogs: [toCatalog("shop", tools)], language });
      const paths = files.map(({ path }) => path.toLowerCase());
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.filter((path) => /\/con\.\w+$/.test(path))).toEqual([]);
    }
  });

  it("writes descriptions as plain text in READMEs", async () => {
    const description = "# Big\n[link](http://x) <script> `code` *bold* -->";
    const catalog = toCatalog("shop", [{ name: "t", description, inputSchema: { type: "object" } }]);
    const { files } = await planLibraryTree({ catalogs: [catalog], language: "typescript" });
    expect(readFile(files, "servers/shop/README.md")).toContain("- [`t`](t.ts): \\# Big\n");
  });

  it("writes TypeScript that compiles in strict mode and whose functions can be imported", async () => {
    const { files } = await planLibraryTree({ catalogs, language: "typescript" });
    const program = `
import everyday, { createIssue, create_issue, type CreateIssueResult } from "./servers/everyday/index.js";
import { ping } from "./servers/everyday/ping.js";
import { createIssue as createOutside, type CreateIssueResult as Outside } from "./servers/everyday/index.mjs";
const made: CreateIssueResult = await createIssue({ owner: "a", repo: "b", title: "c" });
await create_issue({ owner: made.state, repo: "b", title: "c" });
await everyday.ping();
await ping({});
// @ts-expect-error a required argument is missing
await everyday.createIssue({ owner: "a" });
const outside: Outside = await createOutside({ owner: "a", repo: "b", title: "c" });
// @ts-expect-error a required argument is missing
await createOutside({ owner: outside.state });
`;
    expect(await compileStrictly(new Map([...onlySources(files), ["program.ts", program]]))).toBe("");
  });

  it("writes Python that passes a strict check and whose functions call the host", async ({ skip }) => {
    skip(!hasPython, "python3 is not installed");
    const { files } = await planLibraryTree({ catalogs, language: "python" });
    const folder = await writePython(toMap(files));
    expect(compilePython(folder)).toBe("");
    if (hasMypy) expect(checkPython(folder)).toBe("");
    const program = `
def call_tool(server, tool, /, *values, **fields):
    return [server, tool, list(values), fields]
import mcp_tools
from mcp_tools import everyday
from mcp_tools.everyday.create_issue import create_issue
print(everyday.list_tools(), len(mcp_tools.list_servers()))
print(create_issue(owner="a", repo="b", title="c"))
print(everyday.createIssue({"owner": "a"}))
`;
    expect(runPython(folder, program).trim().split("\n")).toEqual([
      "['create_issue', 'ping', 'call_anything'] 8",
      "['everyday', 'create_issue', [], {'owner': 'a', 'repo': 'b', 'title': 'c'}]",
      "['everyday', 'create_issue', [{'owner': 'a'}], {}]",
    ]);
  });

  it("reports the places of all servers that have no type", async () => {
    const { fallbacks } = await planLibraryTree({ catalogs, language: "typescript" });
    expect(fallbacks).toContainEqual({
      server: "degraded",
      tool: "not_a_schema",
      path: "inputSchema",
      reason: "not a schema",
    });
  });
});

describe("the files of a library for the corpus", () => {
  it("writes TypeScript that compiles and is deterministic", async ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    const tree = await planLibraryTree({ catalogs: readCorpus(), language: "typescript" });
    expect(await planLibraryTree({ catalogs: readCorpus(), language: "typescript" })).toEqual(tree);
    expect(await compileStrictly(onlySources(tree.files))).toBe("");
  });

  it("writes Python that compiles and is deterministic", { timeout: 300_000 }, async ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    skip(!hasPython, "python3 is not installed");
    const tree = await planLibraryTree({ catalogs: readCorpus(), language: "python" });
    expect(await planLibraryTree({ catalogs: readCorpus(), language: "python" })).toEqual(tree);
    expect(compilePython(await writePython(toMap(tree.files)))).toBe("");
  });
});

// The import rules of docs/architecture.md as a table: who may import whom, and where each dependency lives.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readCallWalk } from "../../scripts/code-stats.mjs";
import { packageOf, readSourceFiles, resolveImport, type SourceFile } from "./source-files.js";

const innerModules = [
  // Entered separately: a start reads our own files, not those of other clients.
  "config/clients",
  "config",
  "upstream",
  "catalog",
  "codegen",
  "search",
  "checker",
  "bridge",
  "executors",
  "flow",
  "models",
  "policy",
  "processes",
  "store",
  "output",
];

/** A module → the modules it may enter. Every module may use itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  schema: ["contracts"],
  ...Object.fromEntries(innerModules.map((module) => [module, ["contracts", "schema"]])),
  // Locks, runs and containers must agree on which process has ended.
  store: ["contracts", "schema", "processes"],
  executors: ["contracts", "schema", "processes"],
  coordinator: ["contracts", "schema", ...innerModules],
  // Agents see the same tools through every surface. Entered separately: a framework needs no MCP server.
  "surfaces/mcp-server/agent-tools": ["contracts", "coordinator"],
  "surfaces/mcp-server": ["contracts", "coordinator", "surfaces/mcp-server/agent-tools"],
  "surfaces/frameworks": ["contracts", "coordinator", "surfaces/mcp-server/agent-tools"],
  "surfaces/ask": ["contracts", "coordinator", "surfaces/mcp-server/agent-tools"],
  // `serve` and `ask` are commands that start another surface.
  "surfaces/cli": ["contracts", "schema", "coordinator", "surfaces/ask", "surfaces/mcp-server"],
  "surfaces/compat": ["contracts", "coordinator"],
  "index.ts": ["contracts", "coordinator", "surfaces/ask", "surfaces/compat"],
};

/** An outside package → the only folders that may import it. */
const homes: Readonly<Record<string, readonly string[]>> = {
  "@langchain/core": ["surfaces/frameworks/langchain.ts"],
  "@lezer/python": ["checker"],
  "@modelcontextprotocol/client": ["upstream"],
  "@modelcontextprotocol/server": ["surfaces/mcp-server"],
  "@napi-rs/keyring": ["store/vault"],
  "@openai/agents": ["surfaces/frameworks/openai-agents.ts"],
  ai: ["surfaces/frameworks/ai-sdk.ts"],
  "cross-spawn": ["upstream"],
  diff: ["config/clients"],
  "fastest-levenshtein": ["schema"],
  "ipaddr.js": ["upstream/sign-in"],
  "isolated-vm": ["executors/engines"],
  "isolated-vm-node22": ["executors/engines"],
  "jsonc-parser": ["config"],
  "oxc-parser": ["checker"],
  "oxc-transform": ["checker"],
  "quickjs-wasi": ["executors/engines"],
  re2js: ["policy"],
  rolldown: ["executors/packages.ts"],
  semver: ["upstream"],
  stemmer: ["search"],
  "whatwg-url-minimum": ["executors/guests/typescript/world"],
  "toml-eslint-parser": ["config/clients"],
  yaml: ["store/files/skills", "config"],
  "@toon-format/toon": ["output"],
  zod: ["config", "surfaces/mcp-server", "upstream/in-process"],
};

const files = readSourceFiles();
const hostFiles = files.filter(({ path }) => path.endsWith(".ts"));
const modules = Object.keys(mayImport);

const moduleOf = (path: string): string | undefined =>
  modules.find((module) => path === module || path.startsWith(`${module}/`));

/** Entered from outside: the command line by bin/, each framework by an export of the package. */
const entries: Readonly<Record<string, string>> = {
  "surfaces/cli": "surfaces/cli/main.ts",
  "surfaces/frameworks": "surfaces/frameworks/ai-sdk.ts",
};

const entryOf = (module: string): string =>
  entries[module] ?? (module.endsWith(".ts") ? module : `${module}/index.ts`);

const isGuest = (path: string): boolean =>
  /(^|\/)guest\.(mjs|py)$/.test(path) || path.startsWith("executors/guests/typescript/world/");

const offences = (judge: (file: SourceFile, specifier: string) => boolean): readonly string[] =>
  hostFiles.flatMap((file) =>
    file.imports
      .filter((specifier) => judge(file, specifier))
      .map((specifier) => `${file.path} imports ${specifier}`),
  );

test("every file of src/ belongs to a module of the table", () => {
  expect(files.filter(({ path }) => moduleOf(path) === undefined).map(({ path }) => path)).toEqual([]);
});

test("modules import only the modules they may", () => {
  const found = offences((file, specifier) => {
    if (!specifier.startsWith(".")) return false;
    const from = moduleOf(file.path) ?? "";
    const to = moduleOf(resolveImport(file, specifier));
    return to === undefined || (to !== from && !mayImport[from]?.includes(to));
  });
  expect(found).toEqual([]);
});

test("modules are entered through their index.ts", () => {
  const found = offences((file, specifier) => {
    if (!specifier.startsWith(".")) return false;
    const target = resolveImport(file, specifier);
    const to = moduleOf(target) ?? "";
    return to !== moduleOf(file.path) && target.replace(/\.js$/, ".ts") !== entryOf(to);
  });
  expect(found).toEqual([]);
});

test("every module has an index.ts whose exports are named", () => {
  const entries = modules.map((module) => ({
    module,
    file: files.find(({ path }) => path === entryOf(module)),
  }));
  expect(entries.filter(({ file }) => file === undefined).map(({ module }) => module)).toEqual([]);
  expect(entries.filter(({ file }) => file?.text.includes("export *")).map(({ module }) => module)).toEqual(
    [],
  );
});

test("each third-party dependency has one home", () => {
  const found = offences((file, specifier) => {
    const name = packageOf(specifier);
    return (
      name !== undefined &&
      !homes[name]?.some((home) => file.path === home || file.path.startsWith(`${home}/`))
    );
  });
  expect(found).toEqual([]);
});

test("only the checker process calls code that parses programs", () => {
  const parses = ["checkProgram", "loadParsers", "prepareModule", "prepareProgram", "readSkillFunction"];
  const names = [...parses, "toSkillModule", "warmCompiler"];
  const found = hostFiles
    .filter(({ path }) => !path.startsWith("checker/") && !path.endsWith("/checker-handlers.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "[^"]*\/checker\/index\.js"/g)].flatMap(([, list = ""]) =>
        list
          .split(",")
          .map((name) => name.trim())
          .filter((name) => names.includes(name))
          .map((name) => `${path} imports ${name}`),
      ),
    );
  expect(found).toEqual([]);
});

test("the host never waits synchronously for a process or a thread", () => {
  const waits = /\b(?:spawnSync|execSync|execFileSync|Atomics\.wait)\b/;
  const found = hostFiles.filter(({ text }) => waits.test(text)).map(({ path }) => path);
  // A process of its own.
  expect(found).toEqual(["coordinator/checks/checker-child.ts"]);
});

test("contracts import nothing but themselves", () => {
  expect(
    offences((file, specifier) => moduleOf(file.path) === "contracts" && !specifier.startsWith("./")),
  ).toEqual([]);
});

test("a guest imports only guest files and the package that it contains, and no host file imports a guest", () => {
  const guests = files.filter(({ path }) => isGuest(path));
  expect(guests.map(({ path }) => path)).toContain("executors/guests/typescript/world/guest.mjs");
  const foreign = guests.flatMap((file) =>
    file.imports
      .filter((specifier) =>
        specifier.startsWith(".")
          ? !isGuest(resolveImport(file, specifier))
          : specifier !== "whatwg-url-minimum",
      )
      .map((specifier) => `${file.path} imports ${specifier}`),
  );
  expect(foreign).toEqual([]);
  expect(offences((file, specifier) => isGuest(resolveImport(file, specifier)))).toEqual([]);
});

test("every file says in its first line what it is for", () => {
  const silent = files.filter(({ text }) => !/^(\/\/|#|\/\*\*?) \S/.test(text.replace(/^#!.*\n/, "")));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test("no file is longer than 300 lines, except lists of exports", () => {
  const long = files.filter(
    ({ path, text }) => !path.endsWith("/index.ts") && text.split("\n").length - 1 > 300,
  );
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("no file has a meaningless name", () => {
  const words = /(^|[/-])(utils?|helpers?|common|managers?|services?|misc)(\.|-|\/)/;
  expect(files.filter(({ path }) => words.test(path)).map(({ path }) => path)).toEqual([]);
});

const readSource = (path: string): string =>
  readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8");

const importStatement = /^import [^;]*?from "[^"]+";$/gms;

/** Whether a file imports a value under this name, and uses it. */
const isUsing = (path: string, name: string): boolean => {
  const text = readSource(path);
  const word = new RegExp(`(?<!type )\\b${name}\\b`);
  const imports = (text.match(importStatement) ?? []).filter((line) => !line.startsWith("import type "));
  return imports.some((line) => word.test(line)) && word.test(text.replace(importStatement, ""));
};

test("docs/architecture.md names the files and functions of one tool call, at most eighteen, and what calls each", () => {
  const walk = readCallWalk();
  const missing = walk.filter(
    ({ file, name }) =>
      !existsSync(new URL(`../../src/${file}`, import.meta.url)) ||
      !new RegExp(`export (?:const|class) ${name}\\b`).test(readSource(file)),
  );
  expect(missing).toEqual([]);
  expect(walk.filter(({ calledBy, name }) => !isUsing(calledBy, name))).toEqual([]);
  expect(walk.length).toBeGreaterThan(10);
  expect(walk.length).toBeLessThanOrEqual(18);
});

test("docs/architecture.md lists the middleware of the bridge in its order", () => {
  const [, list = ""] =
    /const pipeline: readonly Middleware\[\] = \[([^\]]*)\]/.exec(readSource("bridge/open-bridge.ts")) ?? [];
  const inCode = [...list.matchAll(/(\w+),/g)].map(([, name]) => name);
  const document = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  const [, table = ""] = document.split("### The middleware of the bridge");
  expect(inCode.length).toBeGreaterThan(5);
  expect([...(table.split("\n#")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(
    inCode,
  );
});

test("every run passes through run-code.ts, which fits on a screen", () => {
  expect(readSource("coordinator/runs/run-code.ts").split("\n").length).toBeLessThanOrEqual(80);
  const using = (name: string): readonly string[] =>
    files.map(({ path }) => path).filter((path) => /\.ts$/.test(path) && isUsing(path, name));
  for (const step of ["admit", "prepare", "link", "execute", "present", "record"])
    expect(
      using(step).filter((path) => path.startsWith("coordinator/")),
      step,
    ).toEqual(["coordinator/runs/run-code.ts"]);
  // Besides runs, small programs of our own ask the sandbox's Python.
  const callers = files.filter(({ text }) => /\bexecutors\s*\.run\(/.test(text)).map(({ path }) => path);
  expect(callers.sort()).toEqual(["coordinator/checks/python-libraries.ts", "coordinator/runs/execute.ts"]);
  // Besides runs, a person asks for the check of a program or of a skill.
  expect([...using("checkPrepared")].sort()).toEqual([
    "coordinator/runs/run-code.ts",
    "coordinator/skills/check-skill.ts",
  ]);
});

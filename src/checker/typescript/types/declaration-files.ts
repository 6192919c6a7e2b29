// The declaration files that the compiler sees, written for the tools that a program uses, and cached. Unknown types become `any`.
import { readFileSync } from "node:fs";
import {
  peopleNames,
  storedNames,
  type Tool,
  workspaceModules,
  workspaceNames,
} from "../../../contracts/index.js";
import { hasOpenObjects } from "../../../schema/index.js";
import type { CheckedServer } from "../../check.js";
import { configuration, paths } from "./compiler.js";

/** The compiler's files by path, and the indexed declarations of the servers. */
export interface FileCache {
  readonly files: Map<string, string>;
  readonly indexes: Map<string, DeclarationIndex>;
}

const maxFiles = 1000;
const maxIndexes = 50;

export const createFileCache = (): FileCache => ({
  files: new Map([
    [paths.configuration, configuration],
    [paths.world, readFileSync(new URL("../../world.d.mts", import.meta.url), "utf8")],
  ]),
  indexes: new Map(),
});

/** Files are named after their content and never change. The most recently used ones stay. */
export const addFile = (cache: FileCache, path: string, text: string): void => {
  const { files } = cache;
  files.delete(path);
  files.set(path, text);
  if (files.size <= maxFiles) return;
  const oldest = [...files.keys()].find((key) => key !== paths.configuration && key !== paths.world);
  if (oldest !== undefined) files.delete(oldest);
};

export const readIndex = (
  { indexes }: FileCache,
  { catalog, fingerprint, source }: CheckedServer,
): DeclarationIndex => {
  const key = `${catalog.server}\n${fingerprint}`;
  const index = indexes.get(key) ?? indexDeclarations(source);
  indexes.delete(key);
  indexes.set(key, index);
  const [oldest] = indexes.keys();
  if (indexes.size > maxIndexes && oldest !== undefined) indexes.delete(oldest);
  return index;
};

interface DeclarationIndex {
  readonly has: (name: string) => boolean;
  /** The declarations of these names and of every type they refer to, ready for the compiler. */
  readonly select: (names: Iterable<string>) => string;
}

const statementStart = /^export (?:type|declare function) ([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu;
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Every declaration of codegen starts a line with `export`; comments and fields never do. */
export const indexDeclarations = (source: string): DeclarationIndex => {
  const starts = [...source.matchAll(statementStart)];
  const places = new Map(
    starts.map(({ 1: name = "", index }, at) => [
      name,
      { start: index, end: starts[at + 1]?.index ?? source.length },
    ]),
  );
  const texts = new Map<string, string>();
  const readText = (name: string): string => {
    const place = places.get(name);
    if (place === undefined) return "";
    // What follows a declaration belongs to the next one: aliases of a function, the server as an object.
    const text = texts.get(name) ?? cutStatement(toLenientSource(source.slice(place.start, place.end)));
    texts.set(name, text);
    return text;
  };
  return {
    has: (name) => places.has(name),
    select: (names) => {
      const selected = new Map<string, string>();
      const waiting = [...names];
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (selected.has(name) || !places.has(name)) continue;
        const text = readText(name);
        selected.set(name, text);
        for (const [other] of text.matchAll(word))
          if (places.has(other) && !selected.has(other)) waiting.push(other);
      }
      return [...selected.values()].join("\n");
    },
  };
};

/** Up to the first semicolon outside brackets and strings. */
const cutStatement = (text: string): string => {
  let depth = 0;
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}()[\];]/g)) {
    if ("{([".includes(piece)) depth++;
    else if ("})]".includes(piece)) depth--;
    else if (piece === ";" && depth === 0) return text.slice(0, index + 1);
  }
  return text;
};

/** Comments, strings, and the word `unknown` as a type. */
const pieces =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|(?<![\w$.]|typeof |function |\{ | as )unknown(?![\w$]|\??:|\()/g;

/** Replaces `unknown` with `any`: a program may know more than the server declares. */
const toLenientSource = (source: string): string =>
  source.replace(pieces, (piece) => (piece === "unknown" ? "any" : piece.startsWith("/") ? "" : piece));

const toKey = (name: string): string => JSON.stringify(name);

const spellings = (tool: Tool): readonly string[] => [...new Set([tool.functionName, tool.name])];

/** `promptsTriageBugs` is also `prompts.triageBugs`. */
const toMember = ({ functionName }: Tool, name: string): string => {
  const rest = functionName.slice(name.length);
  return rest.charAt(0).toLowerCase() + rest.slice(1);
};

/**
 * The module that programs import, with the tools they use. Every tool takes one object or positional values, and has
 * `raw`. `Server` is the object with all of them.
 */
export const writeToolsModule = (
  { observedTools }: CheckedServer,
  tools: readonly Tool[],
  declaredPath: string,
): string => {
  const lines = tools.map((tool, index) => {
    const declared = hasOpenObjects(tool.outputSchema ?? {}) ? "OpenTool" : "DeclaredTool";
    const wrapper = observedTools?.has(tool.name) === true ? "ObservedTool" : declared;
    return `declare const tool${index}: ${wrapper}<typeof declared.${tool.functionName}>;`;
  });
  const members = tools.flatMap((tool, index) =>
    spellings(tool).map((name) => `  readonly ${toKey(name)}: typeof tool${index};`),
  );
  const namespaces = ["resources", "prompts"].flatMap((name) => {
    const inside = tools.flatMap((tool, index) =>
      tool.name.startsWith(`${name}.`)
        ? [...new Set([tool.name.slice(name.length + 1), toMember(tool, name)])].map(
            (key) => `readonly ${toKey(key)}: typeof tool${index};`,
          )
        : [],
    );
    const own = tools.findIndex((tool) => tool.name === name);
    if (inside.length === 0) return [];
    if (own >= 0) lines.push(`interface ${name}Members { ${inside.join(" ")} }`);
    return own >= 0
      ? [`  readonly ${name}: typeof tool${own} & ${name}Members;`]
      : [`  readonly ${name}: { ${inside.join(" ")} };`];
  });
  const isReplaced = (member: string): boolean =>
    namespaces.some((one) =>
      member.startsWith(`  readonly ${toKey(/readonly (\w+)/.exec(one)?.[1] ?? "")}:`),
    );
  const exports = tools.flatMap((tool, index) =>
    spellings(tool)
      .filter((name) => name !== "default" && !/\p{Cs}/u.test(name))
      .map((name) => `tool${index} as ${toKey(name)}`),
  );
  return [
    `import type * as declared from ${toKey(declaredPath)};`,
    'import type { DeclaredTool, ObservedTool, OpenTool } from "../variant";',
    `export type * from ${toKey(declaredPath)};`,
    ...lines,
    `export interface Server {\n${[...members.filter((one) => !isReplaced(one)), ...namespaces].join("\n")}\n}`,
    "declare const server: Server;",
    `export { ${["server as default", ...exports].join(", ")} };`,
  ].join("\n");
};

const toolTypes = (closed: string, open: string, observed: string): string => `
type Taken<F> = F extends (...values: infer P) => any ? P[0] : any;
type Given<F> = F extends (...values: any[]) => Promise<infer R> ? R : any;
interface CallOf<A, R> {
  (args?: A, ...values: any[]): Promise<R>;
  raw(args?: A, ...values: any[]): Promise<ToolResult>;
  keep(args?: A, ...values: any[]): Promise<ValueHandle<R>>;
}
interface ToolOf<A, R> extends CallOf<A, R> {
  with(options: {
    onProgress?: (step: { progress: number; total?: number; message: string }) => unknown;
  }): CallOf<A, R>;
}
interface ToolResult {
  content?: any[];
  structuredContent?: any;
  isError?: boolean;
  _meta?: any;
  [field: string]: any;
}
export type DeclaredTool<F> = ToolOf<Taken<F>, ${closed}>;
export type OpenTool<F> = ToolOf<Taken<F>, ${open}>;
export type ObservedTool<F> = ToolOf<Taken<F>, ${observed}>;
`;

/** Compiling again with fewer types shows which types an error depends on. */
export const variants = {
  all: toolTypes("Given<F>", "Given<F>", "Given<F>"),
  declaredOnly: toolTypes("Given<F>", "Given<F>", "any"),
  /** Without results that may have undeclared fields. */
  closedOnly: toolTypes("Given<F>", "any", "any"),
  none: toolTypes("any", "any", "any"),
} as const;

export type Variant = keyof typeof variants;

const moduleTypes: ReadonlyMap<string, string> = new Map([
  ["workspace", "WorkspaceGlobals"],
  ...["fs/promises", "node:fs/promises"].map((path) => [path, "FilePromises"] as const),
]);
const filesType = '{ readonly promises: FilePromises; readonly constants: FilePromises["constants"] }';

/** A workspace module; undefined for any other path. */
export const writeBuiltInModule = (path: string): string | undefined => {
  const names = workspaceModules.get(path);
  if (names === undefined) return undefined;
  return [
    `type Module = ${moduleTypes.get(path) ?? filesType};`,
    ...names.map((name) => `export declare const ${name}: Module[${JSON.stringify(name)}];`),
    `declare const all: ${path === "workspace" ? 'Module["workspace"]' : "Module"};`,
    "export default all;",
  ].join("\n");
};

/** The globals, except those shadowed by a server's name. */
export const writeBuiltInGlobals = (isServer: (name: string) => boolean): readonly string[] => [
  ...writeConstants(workspaceNames.typescript, "WorkspaceGlobals", isServer),
  ...writeConstants(storedNames.typescript, "HandleFunctions", isServer),
  ...writeConstants(peopleNames.typescript, "PeopleFunctions", isServer),
];

const writeConstants = (
  names: readonly string[],
  type: string,
  isServer: (name: string) => boolean,
): readonly string[] =>
  names.filter((name) => !isServer(name)).map((name) => `  const ${name}: ${type}[${JSON.stringify(name)}];`);

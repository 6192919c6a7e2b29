// Writes the declarations of servers and of the workspace for the compiler. Unknown types become `any`.
import {
  peopleNames,
  storedNames,
  type Tool,
  workspaceModules,
  workspaceNames,
} from "../../../contracts/index.js";
import { hasOpenObjects } from "../../../schema/index.js";
import type { CheckedServer } from "../../check.js";

/** Comments, strings, and the word `unknown` as a type. */
const pieces =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|(?<![\w$.]|typeof |function |\{ | as )unknown(?![\w$]|\??:|\()/g;

/** Replaces `unknown` with `any`: a program may know more than the server declares. */
export const toLenientSource = (source: string): string =>
  source.replace(pieces, (piece) => (piece === "unknown" ? "any" : piece.startsWith("/") ? "" : piece));

const toKey = (name: string): string => JSON.stringify(name);

const spellings = (tool: Tool): readonly string[] => [...new Set([tool.functionName, tool.name])];

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
    `export interface Server {\n${members.join("\n")}\n}`,
    "declare const server: Server;",
    `export { ${["server as default", ...exports].join(", ")} };`,
  ].join("\n");
};

const toolTypes = (closed: string, open: string, observed: string): string => `
type Taken<F> = F extends (...values: infer P) => any ? P[0] : any;
type Given<F> = F extends (...values: any[]) => Promise<infer R> ? R : any;
interface ToolOf<A, R> {
  (args?: A, ...values: any[]): Promise<R>;
  raw(args?: A, ...values: any[]): Promise<ToolResult>;
  keep(args?: A, ...values: any[]): Promise<Kept<R>>;
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
  ...writeConstants(storedNames.typescript, "KeptFunctions", isServer),
  ...writeConstants(peopleNames.typescript, "PeopleFunctions", isServer),
];

const writeConstants = (
  names: readonly string[],
  type: string,
  isServer: (name: string) => boolean,
): readonly string[] =>
  names.filter((name) => !isServer(name)).map((name) => `  const ${name}: ${type}[${JSON.stringify(name)}];`);

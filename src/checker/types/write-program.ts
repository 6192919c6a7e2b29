// A program as the compiler sees it: its imports lead to our declarations, its globals are the servers it reaches.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Node } from "oxc-parser";
import type { CheckedServer } from "../check.js";
import { toModulePath } from "../module-path.js";
import type { Context } from "../rules/context.js";
import { isFunction, readText } from "../syntax/read-node.js";
import type { Syntax } from "../syntax/scope.js";
import { configuration, paths } from "./compiler.js";
import { type DeclarationIndex, indexDeclarations } from "./index-declarations.js";
import { writeToolsModule } from "./write-declarations.js";

export interface WrittenProgram {
  readonly text: string;
  /** The declarations that the program uses, as the compiler gets them. */
  readonly declarations: readonly string[];
  /** Turns an offset of this text into one of the program's. */
  readonly toOriginal: (offset: number) => number;
}

/** What the compiler sees: files by path, and the servers' declarations taken apart. */
export interface FileShelf {
  readonly files: Map<string, string>;
  readonly indexes: Map<string, DeclarationIndex>;
}

const mostFiles = 1000;
const mostIndexes = 50;

export const openShelf = (): FileShelf => ({
  files: new Map([
    [paths.configuration, configuration],
    [paths.world, readFileSync(new URL("../world.d.mts", import.meta.url), "utf8")],
  ]),
  indexes: new Map(),
});

/** Files are named after what is in them and never change; those used last are kept. */
const keep = (shelf: FileShelf, path: string, text: string): void => {
  const { files } = shelf;
  files.delete(path);
  files.set(path, text);
  if (files.size <= mostFiles) return;
  const oldest = [...files.keys()].find((key) => key !== paths.configuration && key !== paths.world);
  if (oldest !== undefined) files.delete(oldest);
};

const readIndex = (
  { indexes }: FileShelf,
  { catalog, fingerprint, source }: CheckedServer,
): DeclarationIndex => {
  const key = `${catalog.server}\n${fingerprint}`;
  const index = indexes.get(key) ?? indexDeclarations(source);
  indexes.delete(key);
  indexes.set(key, index);
  const [oldest] = indexes.keys();
  if (indexes.size > mostIndexes && oldest !== undefined) indexes.delete(oldest);
  return index;
};

interface WrittenServer {
  /** Its module, as the program imports it. */
  readonly path: string;
  readonly declarations: string;
}

const writeServer = ({ uses, syntax }: Context, shelf: FileShelf, server: CheckedServer): WrittenServer => {
  const used = [...uses.calls, ...uses.values].filter((use) => use.server === server).map(({ tool }) => tool);
  const tools = [...new Set(used)];
  const index = readIndex(shelf, server);
  const types = [...new Set(syntax.text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu))].filter(index.has);
  const declarations = index.select([...tools.map(({ functionName }) => functionName), ...types]);
  const name = `server-${toHash(declarations)}`;
  const module = writeToolsModule(server, tools, `./${name}`);
  const path = `./servers/tools-${toHash(module)}`;
  keep(shelf, `${paths.folder}/servers/${name}.ts`, declarations || "export {};");
  keep(shelf, `${paths.folder}${path.slice(1)}.ts`, module);
  return { path, declarations };
};

/** Puts on the shelf what the program reaches, and gives its text. */
export const writeProgram = (context: Context, shelf: FileShelf): WrittenProgram => {
  const { request, syntax } = context;
  const servers = new Map(request.servers.map((server) => [server, writeServer(context, shelf, server)]));
  const globals = writeGlobals(context, servers);
  const globalsPath = `/globals-${toHash(globals)}`;
  keep(shelf, `${paths.folder}${globalsPath}.ts`, globals);

  const edits = [
    ...editImports(context, shelf, servers),
    ...editReturns(context),
    ...editNamedCalls(context),
  ].sort((one, other) => one.start - other.start);
  let text = "";
  let copied = 0;
  for (const { start, end, written } of edits) {
    text += syntax.text.slice(copied, start) + written;
    copied = end;
  }
  // At the end, where it moves nothing and stands above no comment that directs the compiler.
  text += `${syntax.text.slice(copied)}\nimport ".${globalsPath}";\n`;
  const declarations = [...servers.values()].map((server) => server.declarations);
  return { text, declarations, toOriginal: (offset) => toOriginal(edits, offset) };
};

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

const toOriginal = (edits: readonly Edit[], offset: number): number => {
  let shift = 0;
  for (const { start, end, written } of edits) {
    if (offset + shift < start) break;
    if (offset + shift < start + written.length) return start;
    shift += end - start - written.length;
  }
  return offset + shift;
};

type WrittenServers = ReadonlyMap<CheckedServer, WrittenServer>;

const editImports = (context: Context, shelf: FileShelf, servers: WrittenServers): readonly Edit[] => {
  const { imports, calls } = context.syntax;
  const sources = [
    ...imports.map(({ source }) => source),
    ...calls.flatMap((call) => (call.type === "ImportExpression" ? [call.source] : [])),
  ];
  return sources.flatMap((source) => {
    const specifier = readText(source);
    const target = specifier === undefined ? undefined : findModule(context, shelf, servers, specifier);
    return target === undefined
      ? []
      : [{ start: source.start, end: source.end, written: JSON.stringify(target) }];
  });
};

/** Compilers do not look at what is returned outside of a function; what is thrown they do, and the program ends there too. */
const editReturns = ({ syntax }: Context): readonly Edit[] =>
  [...syntax.nodes()].flatMap((node) => {
    if (node.type !== "ReturnStatement" || isInFunction(syntax, node)) return [];
    const end = node.start + "return".length;
    return [{ start: node.start, end, written: node.argument === null ? "throw 0" : "throw " }];
  });

/** `callTool("github", "create_issue", {` is checked like `github.createIssue({`. */
const editNamedCalls = ({ uses }: Context): readonly Edit[] =>
  uses.calls
    .filter(({ isByName }) => isByName)
    .map(({ server, tool, node, values }) => {
      const written = `$servers[${JSON.stringify(server.catalog.server)}][${JSON.stringify(tool.functionName)}](`;
      const [first] = values;
      return first === undefined
        ? { start: node.start, end: node.end, written: `${written})` }
        : { start: node.start, end: first.start, written };
    });

const isInFunction = (syntax: Syntax, node: Node): boolean => {
  for (let holder = syntax.parentOf(node); holder !== undefined; holder = syntax.parentOf(holder))
    if (isFunction(holder)) return true;
  return false;
};

const toHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The module that an import means; undefined for what is not checked. */
const findModule = (
  { known }: Context,
  shelf: FileShelf,
  servers: WrittenServers,
  specifier: string,
): string | undefined => {
  const [folder, name, toolName] = toModulePath(specifier).split("/");
  const server = folder === "servers" && name !== undefined ? known.find(name)?.server : undefined;
  const path = server === undefined ? undefined : servers.get(server)?.path;
  const tool = toolName === undefined ? undefined : server?.catalog.find(toolName);
  if (path === undefined || tool === undefined) return path;
  const names = [...new Set([tool.functionName, tool.name])].filter((one) => one !== "default");
  const exported = ["default", ...names].map(
    (one) => `${JSON.stringify(tool.functionName)} as ${JSON.stringify(one)}`,
  );
  const module = `export { ${exported.join(", ")} } from ${JSON.stringify(`.${path.slice("./servers".length)}`)};\n`;
  const toolPath = `./servers/tool-${toHash(module)}`;
  keep(shelf, `${paths.folder}${toolPath.slice(1)}.ts`, module);
  return toolPath;
};

const writeGlobals = ({ known }: Context, servers: WrittenServers): string => {
  const reached = known.all.flatMap(({ name, identifier, server }) => {
    const path = server === undefined ? undefined : servers.get(server)?.path;
    return path === undefined ? [] : [{ name, identifier, path }];
  });
  const imports = reached.map(
    ({ path }, index) => `import type { Server as S${index} } from ${JSON.stringify(path)};`,
  );
  const constants = reached.map(({ identifier }, index) => `  const ${identifier}: S${index};`);
  const members = reached.flatMap(({ name, identifier }, index) =>
    [...new Set([name, identifier])].map((key) => `    readonly ${JSON.stringify(key)}: S${index};`),
  );
  return `${imports.join("\n")}
declare global {
${constants.join("\n")}
  interface ServersByName {
${members.join("\n")}
    readonly [name: string]: any;
  }
  const servers: ServersByName;
  const $servers: ServersByName;
  function callTool(server: string, tool: string, args?: any): Promise<any>;
  function callMCPTool(name: string, args?: any): Promise<any>;
}
export {};
`;
};

// Writes a program for the compiler: its imports resolve to our declarations, its globals are the servers it uses.
import { createHash } from "node:crypto";
import { discoveryNames, skillsName } from "../../../contracts/index.js";
import type { CheckedServer } from "../../check.js";
import type { AdapterContext, Context } from "../dialect.js";
import { readText } from "../read-node.js";
import { readReexports } from "../read-syntax.js";
import { paths } from "./compiler.js";
import {
  addFile,
  type FileCache,
  readIndex,
  writeBuiltInGlobals,
  writeBuiltInModule,
  writeToolsModule,
} from "./declaration-files.js";

interface WrittenProgram {
  readonly text: string;
  /** The declarations that the program uses, as the compiler receives them. */
  readonly declarations: readonly string[];
  /** Maps an offset in this text to one in the program. */
  readonly toOriginal: (offset: number) => number;
}

interface WrittenServer {
  /** Its module, as the program imports it. */
  readonly path: string;
  readonly declarations: string;
}

/** One module for the program and its adapters, because a server's global can have only one type. */
const writeServer = (context: Context, cache: FileCache, server: CheckedServer): WrittenServer => {
  const readers: readonly AdapterContext[] = [context, ...context.adapters.values()];
  const used = readers
    .flatMap(({ uses }) => [...uses.calls, ...uses.values])
    .filter((use) => use.server === server)
    .map(({ tool }) => tool);
  const tools = [...new Set(used)];
  const index = readIndex(cache, server);
  const words = readers.flatMap(
    ({ syntax }) => syntax.text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [],
  );
  const types = [...new Set(words)].filter(index.has);
  const declarations = index.select([...tools.map(({ functionName }) => functionName), ...types]);
  const name = `server-${toHash(declarations)}`;
  const module = writeToolsModule(server, tools, `./${name}`);
  const path = `./servers/tools-${toHash(module)}`;
  addFile(cache, `${paths.folder}/servers/${name}.ts`, declarations || "export {};");
  addFile(cache, `${paths.folder}${path.slice(1)}.ts`, module);
  return { path, declarations };
};

/** Adds the files that the program needs and returns its text. */
export const writeProgram = (context: Context, cache: FileCache): WrittenProgram => {
  const { request, syntax } = context;
  const servers = new Map(request.servers.map((server) => [server, writeServer(context, cache, server)]));
  const globals = writeGlobals(context, servers);
  const globalsPath = `/globals-${toHash(globals)}`;
  addFile(cache, `${paths.folder}${globalsPath}.ts`, globals);

  const modules: WrittenModules = { servers, adapters: nameAdapters(context, servers) };
  for (const [path, adapter] of context.adapters) {
    const own = [...editImports(adapter, cache, modules), ...editNamedCalls(adapter)];
    addFile(
      cache,
      `${paths.folder}${modules.adapters.get(path)?.slice(1)}.ts`,
      applyEdits(adapter.syntax.text, own),
    );
  }
  const edits = [
    ...editImports(context, cache, modules),
    ...editReturns(context),
    ...editNamedCalls(context),
  ].sort((one, other) => one.start - other.start);
  // At the end, where it moves nothing and cannot separate a compiler directive from its line.
  const text = `${applyEdits(syntax.text, edits)}\nimport ".${globalsPath}";\n`;
  const declarations = [...servers.values()].map((server) => server.declarations);
  return { text, declarations, toOriginal: (offset) => toOriginal(edits, offset) };
};

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

const applyEdits = (original: string, edits: readonly Edit[]): string => {
  let text = "";
  let copied = 0;
  for (const { start, end, written } of [...edits].sort((one, other) => one.start - other.start)) {
    text += original.slice(copied, start) + written;
    copied = end;
  }
  return text + original.slice(copied);
};

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

interface WrittenModules {
  readonly servers: WrittenServers;
  /** An adapter's path → its file. */
  readonly adapters: ReadonlyMap<string, string>;
}

/** Adapters may import each other in a cycle, so their files are named after everything they can contain. */
const nameAdapters = (context: Context, servers: WrittenServers): ReadonlyMap<string, string> => {
  const texts = [...context.adapters].map(([path, { syntax }]) => [path, syntax.text]);
  const key = JSON.stringify([texts, [...servers.values()].map(({ path }) => path)]);
  return new Map([...context.adapters.keys()].map((path) => [path, `./adapter-${toHash(path + key)}`]));
};

const editImports = (context: AdapterContext, cache: FileCache, modules: WrittenModules): readonly Edit[] => {
  const { imports, calls } = context.syntax;
  const sources = [
    ...imports.map(({ source }) => ({ source, specifier: source.value })),
    ...readReexports(context.syntax),
    ...calls.flatMap((call) =>
      call.type === "ImportExpression" ? [{ source: call.source, specifier: readText(call.source) }] : [],
    ),
  ];
  return sources.flatMap(({ source, specifier }) => {
    const target = specifier === undefined ? undefined : findModule(context, cache, modules, specifier);
    return target === undefined
      ? []
      : [{ start: source.start, end: source.end, written: JSON.stringify(target) }];
  });
};

/** Compilers ignore a top-level `return` value but check a thrown one, and a throw ends the program too. */
const editReturns = ({ syntax }: Context): readonly Edit[] =>
  [...syntax.nodes()].flatMap((node) => {
    if (node.type !== "ReturnStatement" || syntax.functionAround(node) !== undefined) return [];
    const end = node.start + "return".length;
    return [{ start: node.start, end, written: node.argument === null ? "throw 0" : "throw " }];
  });

/** Checks `callTool("github", "create_issue", {` like `github.createIssue({`. */
const editNamedCalls = ({ uses }: AdapterContext): readonly Edit[] =>
  uses.calls
    .filter(({ isByName }) => isByName)
    .map(({ server, tool, node, values }) => {
      const written = `$servers[${JSON.stringify(server.catalog.server)}][${JSON.stringify(tool.functionName)}](`;
      const [first] = values;
      return first === undefined
        ? { start: node.start, end: node.end, written: `${written})` }
        : { start: node.start, end: first.start, written };
    });

const toHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The module that an import refers to; undefined if it is not checked. */
const findModule = (
  context: AdapterContext,
  cache: FileCache,
  { servers, adapters }: WrittenModules,
  specifier: string,
): string | undefined => {
  const { known } = context;
  const adapter = known.findAdapter(specifier);
  if (adapter !== undefined) return adapters.get(adapter);
  const [folder, name, toolName] = known.toPath(specifier).split("/");
  const whole =
    folder === "servers" && name === undefined
      ? writeWhole(context, servers)
      : writeBuiltInModule(known.toPath(specifier));
  if (whole !== undefined) {
    const path = `./servers/whole-${toHash(whole)}`;
    addFile(cache, `${paths.folder}${path.slice(1)}.ts`, whole);
    return path;
  }
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
  addFile(cache, `${paths.folder}${toolPath.slice(1)}.ts`, module);
  return toolPath;
};

const listReached = ({ known }: AdapterContext, servers: WrittenServers) =>
  known.all.flatMap(({ name, identifier, server }) => {
    const path = server === undefined ? undefined : servers.get(server)?.path;
    return path === undefined ? [] : [{ name, identifier, path }];
  });

/** The discovery functions, except those shadowed by a server's name. */
const listFunctions = ({ known }: AdapterContext): readonly string[] =>
  discoveryNames.typescript.filter((name) => !known.isGlobal(name));

/** The module "servers". */
const writeWhole = (context: AdapterContext, servers: WrittenServers): string => {
  const reached = new Map(listReached(context, servers).map(({ identifier, path }) => [identifier, path]));
  const exported = context.known.all.map(({ identifier }) => {
    const path = reached.get(identifier);
    const type =
      path === undefined ? "any" : `import(${JSON.stringify(path.replace("./servers", "."))}).Server`;
    return `export declare const ${identifier}: ${type};`;
  });
  const functions = listFunctions(context).map(
    (name) => `export declare const ${name}: Discovery[${JSON.stringify(name)}];`,
  );
  return [...exported, ...functions, "declare const all: ServersByName;", "export default all;"].join("\n");
};

const writeGlobals = (context: Context, servers: WrittenServers): string => {
  const reached = listReached(context, servers);
  const imports = reached.map(
    ({ path }, index) => `import type { Server as S${index} } from ${JSON.stringify(path)};`,
  );
  const constants = reached.map(
    ({ identifier }, index) =>
      `  const ${identifier}: ${context.known.isGlobal(identifier) ? `S${index}` : "any"};`,
  );
  const members = reached.flatMap(({ name, identifier }, index) =>
    [...new Set([name, identifier])].map((key) => `    readonly ${JSON.stringify(key)}: S${index};`),
  );
  const functions = listFunctions(context).map(
    (name) => `  const ${name}: Discovery[${JSON.stringify(name)}];`,
  );
  const skills = context.known.isGlobal(skillsName) ? [] : [`  const ${skillsName}: Skills;`];
  return `${imports.join("\n")}
declare global {
${[...constants, ...functions, ...skills, ...writeBuiltInGlobals(context.known.isGlobal)].join("\n")}
  interface ServersByName {
${members.join("\n")}
    readonly [name: string]: any;
  }
  const servers: ServersByName;
  const $servers: ServersByName;
  const callTool: {
    (server: string, tool: string, args?: any): Promise<any>;
    keep(server: string, tool: string, args?: any): Promise<ValueHandle<any>>;
  };
  function callMCPTool(name: string, args?: any): Promise<any>;
}
export {};
`;
};

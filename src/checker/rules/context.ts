// The input of every rule: the program, its tool uses, the servers under every name it may use, and how its language differs.
import type { Language, Tool } from "../../contracts/index.js";
import type { CheckedServer, CheckRequest } from "../check.js";
import { toModulePath } from "../program.js";
import type { ToolUses } from "./find-tool-uses.js";
import type { ImportOrigin, Node, Tree } from "./tree.js";

/** What a language names and writes differently. */
export interface Dialect {
  readonly language: Language;
  /** Names of the language and of the guest. */
  readonly globals: ReadonlySet<string>;
  /** What to use instead of a name that the sandbox does not have. */
  readonly absentGlobals: ReadonlyMap<string, string>;
  /** The module with the servers, if programs must import it. */
  readonly libraryModule?: string | undefined;
  /** Names of the coordinator's own functions are suggested for a misspelt name. */
  readonly suggestsGuestNames: boolean;
  /** Functions that run text as code, with the advice. */
  readonly advised: ReadonlyMap<string, string>;
  /** Names through which anything can be reached. */
  readonly loopholes: ReadonlySet<string>;
  /** Values that `callTool` takes after the names; undefined for any number. */
  readonly maxValuesByName?: number | undefined;
  /** `tool.field` is reported by our own rule, not by a compiler. */
  readonly reportsToolMembers: boolean;
  /** An unknown server is reported at its name, not at the expression that leads to it. */
  readonly reportsServersAtName: boolean;
  /** What servers and tools have besides their own names. */
  readonly members: { readonly listTools: string; readonly withOptions: string };
  /** Functions accept more values than they have parameters. */
  readonly ignoresExcess: boolean;
  /** How a program makes a name known, and what to write. */
  readonly declared: { readonly word: string; readonly hint: string };
  /** How to pass arguments. */
  readonly arguments: string;
  /** What a call has before and after the tool's name. */
  readonly call: { readonly before: string; readonly after: string };
  /** The path of an imported built-in: `memory`, `fs`; undefined if the module has none. */
  readonly readBuiltInImport: (context: RuleContext, origin: ImportOrigin) => string | undefined;
  /** The path of a member of a built-in object. */
  readonly joinPath: (object: string, key: string) => string;
  /** Whether a built-in object has the member besides its functions. */
  readonly hasOtherMember: (context: RuleContext, object: string, member: string) => boolean;
}

export interface RuleContext {
  readonly request: CheckRequest;
  readonly tree: Tree;
  readonly known: KnownServers;
  readonly uses: ToolUses;
  readonly dialect: Dialect;
  /** The program expects that the name, member or call at this place may fail. */
  readonly isProbed: (node: Node) => boolean;
}

/** A tool's name in programs. */
export const toFunctionName = ({ functionNames }: CheckedServer, tool: Tool): string =>
  functionNames?.get(tool) ?? tool.functionName;

/** A tool as programs call it: `github.createIssue`. */
export const nameTool = (server: CheckedServer, tool: Tool): string =>
  `${server.catalog.identifier}.${toFunctionName(server, tool)}`;

/** The exact signature on one line. */
export const showSignature = (
  { request }: Pick<RuleContext, "request">,
  { catalog, functionNames }: CheckedServer,
  tool: Tool,
): string => {
  const functionName = functionNames?.get(tool);
  return request.renderSignature({
    tool,
    identifier: catalog.identifier,
    functionName,
  });
};

interface KnownServer {
  readonly name: string;
  readonly identifier: string;
  /** Undefined if its tools are unknown. Then its uses are not checked. */
  readonly server: CheckedServer | undefined;
}

export interface KnownServers {
  /** By configured name, by identifier, or by configured name regardless of case and separators. */
  readonly find: (name: string) => KnownServer | undefined;
  /** Splits `server__tool`, `server.tool` or `server/tool`. */
  readonly split: (qualified: string) => { readonly server: string; readonly tool: string };
  readonly isGlobal: (identifier: string) => boolean;
  /** The path of the library file that a specifier refers to. */
  readonly toPath: (specifier: string) => string;
  /** The path of the adapter that a specifier refers to; undefined if it is not an adapter. */
  readonly findAdapter: (specifier: string) => string | undefined;
  readonly all: readonly KnownServer[];
  /** The identifier of every server in `all`. */
  readonly identifiers: readonly string[];
}

/** Lower-case letters and digits only: Python spells `odd-name` as `odd_name`. */
const toLoose = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const findLoosely = (all: readonly KnownServer[], name: string): KnownServer | undefined => {
  const [found, ...others] = all.filter((known) => toLoose(known.name) === toLoose(name));
  return others.length > 0 ? undefined : found;
};

export const toKnownServers = ({
  servers,
  identifiers,
  adapters = [],
  module,
  aliases,
  declared = [],
}: Pick<
  CheckRequest,
  "servers" | "identifiers" | "adapters" | "module" | "aliases" | "declared"
>): KnownServers => {
  const reached = new Map(servers.map((server) => [server.catalog.server, server]));
  const all = [...identifiers].map(([name, identifier]) => ({ name, identifier, server: reached.get(name) }));
  const globals = new Set([...identifiers.values(), ...(aliases?.keys() ?? [])]);
  for (const name of declared) globals.delete(name);
  const prefixes = all
    .flatMap(({ name, identifier }) => [name, identifier])
    .sort((one, other) => other.length - one.length);
  const adapterPaths = new Set(adapters.map(({ path }) => path));
  const otherNames = new Map(adapters.flatMap(({ path, names = [] }) => names.map((name) => [name, path])));
  const toPath = (specifier: string): string => toModulePath(specifier, module?.folder);
  const find = (name: string): KnownServer | undefined =>
    all.find((known) => known.name === name) ??
    all.find((known) => known.identifier === name) ??
    all.find((known) => known.name === aliases?.get(name)) ??
    findLoosely(all, name);
  return {
    all,
    identifiers: [...identifiers.values()],
    isGlobal: (identifier) => globals.has(identifier),
    find,
    toPath,
    findAdapter: (specifier) => {
      const named = otherNames.get(toPath(specifier));
      if (named !== undefined) return named;
      const [folder, server = "", name, ...rest] = toPath(specifier).split("/");
      const path = `servers/${find(server)?.identifier}/${name}`;
      return folder === "servers" && rest.length === 0 && adapterPaths.has(path) ? path : undefined;
    },
    split: (qualified) => {
      for (const prefix of prefixes) {
        for (const separator of ["__", ".", "/"]) {
          if (qualified.startsWith(prefix + separator))
            return { server: prefix, tool: qualified.slice(prefix.length + separator.length) };
        }
      }
      const [server = qualified, ...rest] = qualified.split(/__|[./]/);
      return { server, tool: rest.join("__") };
    },
  };
};

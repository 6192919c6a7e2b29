// The input of every rule: the program, its tool uses, the servers, and how its language differs.
import type { Language, Tool } from "../../contracts/index.js";
import type { CheckedServer, CheckRequest } from "../check.js";
import type { ToolUses } from "./find-tool-uses.js";
import type { KnownServers } from "./known-servers.js";
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

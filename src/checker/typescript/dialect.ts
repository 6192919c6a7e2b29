// What is special about TypeScript: its names, and how programs reach servers and tools.
import type { Node } from "oxc-parser";
import { discoveryNames, workspaceModules } from "../../contracts/index.js";
import { toWords } from "../program.js";
import { noNetwork } from "../rules/check-names.js";
import type { Dialect, KnownServers, RuleContext } from "../rules/context.js";
import { dynamic, type Library, plain, readMember, toServer } from "../rules/entity.js";
import { readText } from "./read-node.js";
import type { Syntax } from "./read-syntax.js";

export interface Context extends RuleContext {
  readonly syntax: Syntax;
  /** The adapters it imports, by path, each with its own tool uses. */
  readonly adapters: ReadonlyMap<string, AdapterContext>;
}

/** One adapter, parsed like a program. */
export type AdapterContext = Omit<Context, "adapters">;

/** Names of the language and of the guest. */
export const guestGlobals = toWords(`
  AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator BigInt BigInt64Array BigUint64Array Boolean
  DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function
  Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape
  AbortController AbortSignal DOMException Event EventTarget TextDecoder TextEncoder ToolError URL URLSearchParams atob
  btoa callMCPTool callTool clearInterval clearTimeout console coordinator crypto performance queueMicrotask servers setInterval
  setTimeout sleep structuredClone`);

const noModules = 'Import tools like this: import { toolName } from "servers/<server>"';
const noPage = "A program runs in a sandbox without a web page: return a value or print with console.log";

/** What to use instead of a name that the sandbox does not have. */
export const absentGlobals: ReadonlyMap<string, string> = new Map([
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "axios", "Request", "Response", "Headers"].map(
    (name) => [name, noNetwork] as const,
  ),
  ...["require", "module", "exports"].map((name) => [name, noModules] as const),
  ...["window", "document", "self", "localStorage", "sessionStorage", "navigator", "location", "alert"].map(
    (name) => [name, noPage] as const,
  ),
  ["process", "A program has no process object and no environment variables: return a value to end it"],
  ["Buffer", "Use TextEncoder, TextDecoder, atob, btoa or Uint8Array instead"],
  ["global", 'Use "globalThis" instead'],
  ["__dirname", "A program has no folder of its own"],
  ["__filename", "A program is not a file"],
  ["setImmediate", 'Use "setTimeout" instead'],
]);

export const dialect: Dialect = {
  language: "typescript",
  globals: guestGlobals,
  absentGlobals,
  suggestsGuestNames: true,
  advised: new Map([
    ["eval", "eval() runs text as code: the check cannot see what it does"],
    ["Function", "Function() turns text into code: the check cannot see what it does"],
  ]),
  loopholes: new Set(["globalThis", "eval", "Function", "self", "window"]),
  maxValuesByName: 1,
  members: { listTools: "listTools", withOptions: "with" },
  reportsToolMembers: false,
  reportsServersAtName: false,
  ignoresExcess: true,
  declared: { word: "declared", hint: "Declare it" },
  arguments: "one arguments object",
  call: { before: "await ", after: "({ … })" },
  readBuiltInImport: ({ known }, { module: specifier, name }) => {
    const module = known.toPath(specifier);
    if (known.findAdapter(specifier) !== undefined || !workspaceModules.has(module)) return undefined;
    const whole = module === "workspace" ? "" : module.endsWith("promises") ? "fs" : "fs:";
    if (name === undefined) return whole;
    return name === "default" ? whole || "workspace" : joinPath(whole, name);
  },
  joinPath: (object, key) => joinPath(object, key),
  // For `fs`, another rule suggests the names of the module.
  hasOtherMember: (_context, object, member) => object === "fs" || member in Object.prototype,
};

/** The module "workspace" is the empty path, and `fs` has itself as `promises`. */
const joinPath = (object: string, key: string): string =>
  object === "" || object === "fs:" ? (key === "promises" ? "fs" : key) : `${object}.${key}`;

export const createLibrary = (known: KnownServers): Library => {
  const readModule: Library["readModule"] = (specifier) => {
    if (known.findAdapter(specifier) !== undefined) return undefined;
    const [folder, name, toolName, ...rest] = known.toPath(specifier).split("/");
    if (folder === "servers" && name === undefined) return { kind: "library" };
    if (folder !== "servers" || name === undefined || rest.length > 0) return undefined;
    const server = toServer(known, name);
    if (toolName === undefined || server.kind !== "server") return server;
    const entity = readMember(server, toolName, dialect.members);
    return entity?.kind === "tool" ? { kind: "module", server: entity.server, tool: entity.tool } : entity;
  };

  return {
    readModule,
    readGlobal: (name) => {
      if (name === "servers") return { kind: "servers" };
      if (name === "callTool" || name === "callMCPTool") return { kind: "caller", form: name };
      return known.isGlobal(name) ? toServer(known, name) : undefined;
    },
    readMember: (entity, name) => {
      switch (entity.kind) {
        case "library":
          if (name === "default") return { kind: "servers" };
          if (name !== undefined && discoveryNames.typescript.includes(name) && !known.isGlobal(name))
            return plain;
          return name === undefined ? dynamic : toServer(known, name);
        case "servers":
          return name === undefined ? dynamic : toServer(known, name);
        case "module":
          return name === undefined ? dynamic : { ...entity, kind: "tool", isRaw: false };
        case "caller":
          return name === "keep" ? dynamic : undefined;
        case "server":
        case "unknown-server":
        case "unknown-tool":
          return name === "default" ? entity : readMember(entity, name, dialect.members);
        default:
          return readMember(entity, name, dialect.members);
      }
    },
    /** `await import("servers/github")` */
    readOther: (_node, form) => {
      const imported = form.kind === "await" ? (form.value as Node) : undefined;
      if (imported?.type !== "ImportExpression") return undefined;
      const specifier = readText(imported.source);
      return specifier === undefined ? dynamic : readModule(specifier);
    },
  };
};

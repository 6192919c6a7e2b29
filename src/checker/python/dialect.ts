// What is special about Python: its names, and how programs reach servers and tools.
import { discoveryNames, skillsName, skillsServer } from "../../contracts/index.js";
import { toWords } from "../program.js";
import { noNetwork } from "../rules/check-names.js";
import type { Dialect, KnownServers, RuleContext } from "../rules/context.js";
import {
  dynamic,
  type Entity,
  type Library,
  plain,
  readMember as readShared,
  toServer,
} from "../rules/entity.js";
import type { PythonSyntax } from "./collect-names.js";
import type { Expression, PythonNode } from "./syntax/node.js";
import type { PythonTree } from "./tree.js";

export interface PythonContext extends RuleContext {
  readonly syntax: PythonSyntax;
  readonly tree: PythonTree;
  readonly library: Library;
}

/** Built-in names of every Python since 3.9, and those the guest adds. */
const builtInNames = toWords(`
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
  FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
  IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
  ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
  PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError
  abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
  credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash
  help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
  ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
  vars zip
  ToolError coordinator call_tool callTool call_mcp_tool callMCPTool`);

/** The package with a module per server. */
export const libraryName = "mcp_tools";

export const dialect: Dialect = {
  language: "python",
  globals: builtInNames,
  absentGlobals: new Map([["fetch", noNetwork]]),
  libraryModule: libraryName,
  suggestsGuestNames: false,
  advised: new Map(
    ["eval", "exec"].map((name) => [name, `${name}() runs text as code: the check cannot see what it does`]),
  ),
  loopholes: new Set([
    "exec",
    "eval",
    "globals",
    "locals",
    "__import__",
    "__builtins__",
    "importlib",
    "gc",
    "runpy",
  ]),
  members: { listTools: "list_tools", withOptions: "with_" },
  reportsToolMembers: true,
  reportsServersAtName: true,
  ignoresExcess: false,
  declared: { word: "defined", hint: "Define or import it" },
  arguments: "keyword arguments",
  call: { before: "", after: "(…)" },
  /** `from workspace import memory`, `import workspace`. */
  readBuiltInImport: (_context, { module, name }) => {
    if (module !== "workspace" || name === "*") return undefined;
    return name ?? "workspace";
  },
  joinPath: (object, key) =>
    object === "workspace" && (key === "memory" || key === "workspace") ? key : `${object}.${key}`,
  hasOtherMember: (context, object, member) =>
    member.startsWith("_") ||
    (object === "workspace" && ["workspace", "memory", "functions"].includes(member)) ||
    (object === skillsName && (member === "list_tools" || isSkill(context, member))),
};

const isSkill = ({ request }: RuleContext, name: string): boolean =>
  (request.adapterNames?.get(skillsServer) ?? []).some((one) => one === name || one.startsWith(`${name}.`));

/** Library modules with their own names, wherever they are found. */
const readOwn = (name: string): Entity | undefined => {
  if (name === "runtime") return { kind: "runtime" };
  return name === "mcp_servers" ? { kind: "servers" } : undefined;
};

const readCaller = (name: string): Entity | undefined => {
  if (name === "call_tool" || name === "callTool") return { kind: "caller", form: "callTool" };
  if (name === "call_mcp_tool" || name === "callMCPTool") return { kind: "caller", form: "callMCPTool" };
  return undefined;
};

interface LibraryOptions {
  readonly syntax: PythonSyntax;
  readonly known: KnownServers;
  /** Whether it is a hand-written file beside the server's tools. */
  readonly isAdapter: (server: string, name: string) => boolean;
}

export const createLibrary = ({ syntax, known, isAdapter }: LibraryOptions): Library => {
  const readMember: Library["readMember"] = (entity, name, isIndex) => {
    if (isIndex) {
      if (entity.kind === "servers") return name === undefined ? dynamic : toServer(known, name);
      if (entity.kind !== "server" && entity.kind !== "dynamic") return undefined;
    }
    // Built-in names, and attributes that every module has.
    if (name?.startsWith("_") === true) return entity.kind === "tool" ? undefined : plain;
    switch (entity.kind) {
      case "library":
        if (name === undefined) return dynamic;
        if (readOwn(name) !== undefined && !known.isGlobal(name)) return readOwn(name);
        if (name === "ToolError" || discoveryNames.python.includes(name)) return plain;
        return readCaller(name) ?? toServer(known, name);
      case "bridge":
        return name === "servers" ? { kind: "library" } : name === "runtime" ? { kind: "runtime" } : plain;
      case "runtime":
        return name === undefined ? dynamic : (readCaller(name) ?? plain);
      case "servers":
        return plain;
      default: {
        const member = readShared(entity, name, dialect.members);
        const isFile =
          member?.kind === "unknown-tool" && isAdapter(member.server.catalog.server, member.name);
        return isFile ? dynamic : member;
      }
    }
  };

  /** `mcp_tools.github` → the server. Deeper modules are files beside it. */
  const readModule: Library["readModule"] = (path) => {
    if (path === "mcp") return { kind: "bridge" };
    if (path === "mcp.servers" || path === "mcp.runtime")
      return readMember({ kind: "bridge" }, path.slice(4), false);
    // The object it creates can call any tool by name.
    if (path === "mcp_coordinator") return /\bcall_tool\b|\bgetattr\b/.test(syntax.text) ? dynamic : plain;
    const [library, server, ...rest] = path.replace(/^mcp\.servers\./, `${libraryName}.`).split(".");
    if (library !== libraryName) return undefined;
    if (server === undefined) return { kind: "library" };
    return rest.length > 0 ? dynamic : readMember({ kind: "library" }, server, false);
  };

  const isNamed = (node: Expression, name: string): boolean =>
    node.kind === "name" && node.name === name && syntax.referenceOf(node)?.binding === undefined;

  return {
    readModule,
    readMember,
    readGlobal: (name) => {
      if (known.isGlobal(name)) return toServer(known, name);
      return readOwn(name) ?? readCaller(name);
    },
    /** `getattr(server, "tool")`, `import_module("mcp_tools.server")`, `name := server`. */
    readOther: (other, _form, read) => {
      const node = other as PythonNode;
      if (node.kind === "assigning") return read(node.value);
      const [first, second] = node.kind === "call" ? node.values : [];
      if (node.kind !== "call" || first === undefined || node.named.length > 0) return undefined;
      const { callee } = node;
      if (isNamed(callee, "getattr")) {
        const object = read(first);
        if (object === undefined || object.kind === "plain") return undefined;
        const member = second?.kind === "text" ? readMember(object, second.value, false) : dynamic;
        return member?.kind === "unknown-tool" ? dynamic : member;
      }
      const isImport =
        isNamed(callee, "__import__") || (callee.kind === "attribute" && callee.name === "import_module");
      if (!isImport) return undefined;
      return first.kind === "text" ? readModule(first.value) : dynamic;
    },
  };
};

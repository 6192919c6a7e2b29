// Experimental: checks the types of a Python program with an installed type checker and reports only what is certain.
import type { ServerCatalog, Tool } from "../../../contracts/index.js";
import { hasOpenObjects } from "../../../schema/index.js";
import { didYouMean, type Finding, type PythonTypes, quote, show, showSource } from "../../check.js";
import { nameTool, showSignature } from "../../rules/context.js";
import type { PythonContext } from "../dialect.js";
import { findWrites } from "../guards.js";
import type { Expression, PythonNode } from "../syntax/node.js";
import {
  type FoundChecker,
  findTypeChecker,
  runTypeChecker,
  type TypeMessage,
  typeCheckers,
} from "./type-checkers.js";

/** Time limits for a requested check and for a program about to run. */
const timeoutsMs = { requested: 20_000, run: 200 };
const maxCached = 200;
const maxMessages = 50;

/** Cache: program as written for the type checker → its messages. */
const cache = new Map<string, readonly TypeMessage[]>();

const toOffset = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let left = line - 1; left > 0; left--) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
};

const find = ({ checker, interpreter }: PythonTypes): FoundChecker | undefined =>
  checker === "off" ? undefined : findTypeChecker({ wanted: checker, interpreter });

export const checkPythonTypes = async (
  context: PythonContext,
  types: PythonTypes,
): Promise<readonly Finding[]> => {
  const checker = context.uses.calls.length === 0 ? undefined : find(types);
  if (checker === undefined) return [];
  const { files, stubs } = writeTypedProgram(context, types);
  const key = JSON.stringify([checker.executable, ...files]);
  let messages = cache.get(key);
  if (messages === undefined) {
    if (!types.isRequested && !typeCheckers[checker.name].isFast) return [];
    const timeoutMs = types.isRequested ? timeoutsMs.requested : timeoutsMs.run;
    messages = await runTypeChecker({ checker, files, timeoutMs }).catch(() => undefined);
    if (messages === undefined) return [];
    cache.set(key, messages);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  }
  const { text } = context.syntax;
  return messages.slice(0, maxMessages).flatMap((message) => {
    const offset = toOffset(text, message.line - linesAbove, message.column);
    return judgeTypeMessage({ context, offset, message, stubs }) ?? [];
  });
};

/** Lines above the first line of the program. */
const linesAbove = 1;

const isModuleName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** A top-level `return` is our extension. The type checker sees an assignment of the same length. */
const replaceReturns = ({ syntax }: PythonContext): string => {
  let text = syntax.text;
  for (const node of syntax.nodes) {
    if (node.kind !== "return" || isInFunction(syntax.parentOf, node)) continue;
    const word = node.value === undefined ? "pass  " : "_____=";
    text = text.slice(0, node.start) + word + text.slice(node.start + word.length);
  }
  return text;
};

const isInFunction = (parentOf: (node: PythonNode) => PythonNode | undefined, start: PythonNode): boolean => {
  for (let node = parentOf(start); node !== undefined; node = parentOf(node))
    if (node.kind === "function" || node.kind === "class") return true;
  return false;
};

/** The tools that the program uses, without learned result types. */
const listTools = ({ uses }: PythonContext, catalog: ServerCatalog): readonly Tool[] => {
  const used = [...uses.calls, ...uses.values].filter(({ server }) => server.catalog === catalog);
  return [...new Set(used.map(({ tool }) => tool))].map(({ learned: _learned, ...tool }) => tool);
};

interface TypedProgram {
  readonly files: ReadonlyMap<string, string>;
  /** All stubs as one text. */
  readonly stubs: string;
}

const writeTypedProgram = (context: PythonContext, types: PythonTypes): TypedProgram => {
  const { syntax, request, known } = context;
  const servers = request.servers.filter(({ catalog }) => isModuleName(catalog.identifier));
  const modules = servers.map(({ catalog }) => ({
    identifier: catalog.identifier,
    source: types.renderModule({ catalog: { ...catalog, tools: listTools(context, catalog) } }).source,
  }));
  const unbound = syntax.references.filter(({ binding }) => binding === undefined);
  const globals = [...new Set(unbound.map(({ node }) => node.name))].flatMap((name) => {
    const identifier = known.isGlobal(name) ? known.find(name)?.identifier : undefined;
    if (!modules.some((module) => module.identifier === identifier)) return [];
    return [identifier === name ? name : `${identifier} as ${name}`];
  });
  const style = /\b(?:async|await|asyncio|anyio)\b/.test(syntax.text) ? "awaitable" : "value";
  const head = globals.length === 0 ? "pass" : `from mcp_tools import ${globals.join(", ")}`;
  return {
    files: new Map([
      ["program.py", `${head}\n${replaceReturns(context)}\n`],
      ["mcp_tools/__init__.py", ""],
      ["mcp_tools/_call.py", types.renderCallModule({ style })],
      ...modules.map(({ identifier, source }) => [`mcp_tools/${identifier}.py`, source] as const),
    ]),
    stubs: modules.map(({ source }) => source).join("\n"),
  };
};

interface JudgeOptions {
  readonly context: PythonContext;
  /** The offset that the message refers to. */
  readonly offset: number;
  readonly message: TypeMessage;
  /** All stubs as one text. */
  readonly stubs: string;
}

/** JSON kinds by Python type name. A type that is not listed may be anything. */
const kinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^(?:str|LiteralString|Literal\[["'].*\])$/, "string"],
  [/^(?:int|float|Literal\[-?\d.*\])$/, "number"],
  [/^(?:bool|Literal\[(?:True|False).*\])$/, "boolean"],
  [/^None$/, "null"],
  [/^(?:list|List|Sequence|tuple)\[.*\]$/, "array"],
  [/^(?:dict|Dict|Mapping)\[.*\]$/, "object"],
];

const kindsOf = (type: string): readonly (string | undefined)[] =>
  type.split(" | ").map((member) => kinds.find(([pattern]) => pattern.test(member))?.[1]);

/** Whether no value of one type can ever be of the other. */
const isApart = (found: string, expected: string): boolean => {
  const [given, wanted] = [kindsOf(found), kindsOf(expected)];
  return (
    !given.includes(undefined) && !wanted.includes(undefined) && !given.some((kind) => wanted.includes(kind))
  );
};

const judgeArgument = ({ context, offset, message }: JudgeOptions): Finding | undefined => {
  const { found = "", expected = "" } = message;
  if (!isApart(found, expected)) return undefined;
  for (const call of context.uses.calls) {
    const given = call.named.find(({ start, end }) => start <= offset && offset < end);
    if (given?.name === undefined || call.values.length > 0) continue;
    return {
      severity: "error",
      code: "ARGUMENT_WRONG",
      offset: given.value.start,
      message: `Cannot call ${quote(nameTool(call.server, call.tool))}: argument ${quote(given.name)} is ${show(found, 60)}, expected ${show(expected, 160)}`,
      hint: showSignature(context, call.server, call.tool),
    };
  }
  return undefined;
};

/** The fields of every type in the stubs. */
const listFields = (stubs: string): ReadonlySet<string> =>
  new Set([
    ...[...stubs.matchAll(/^ {4}(\w+): /gm)].map(([, name = ""]) => name),
    ...[...stubs.matchAll(/^ {4}"((?:[^"\\]|\\.)*)": /gm)].map(([, name = ""]) => name),
  ]);

/** If any answer may have undeclared fields, no field is certain to be missing. */
const hasOpenAnswers = ({ uses }: PythonContext): boolean =>
  uses.calls.some(({ tool: { outputSchema } }) =>
    /"(?:additionalProperties|patternProperties|unevaluatedProperties)":(?!false)/.test(
      JSON.stringify(outputSchema ?? {}),
    ),
  );

const findAccess = ({ context, offset, message }: JudgeOptions): Expression | undefined =>
  context.syntax.nodes.find((node): node is Expression => {
    const isNamed =
      message.kind === "key"
        ? node.kind === "subscript" && node.index.kind === "text" && node.index.value === message.name
        : node.kind === "attribute" && node.name === message.name;
    return isNamed && node.start <= offset && offset < node.end;
  });

const judgeAccess = (options: JudgeOptions): Finding | undefined => {
  const { context, message, stubs } = options;
  const access = findAccess(options);
  if (access?.kind !== "subscript" && access?.kind !== "attribute") return undefined;
  // `ListIssuesResult`, or a wrapper of it: `Answer[ListIssuesResult]`.
  const className = /(\w+)\]?$/.exec(message.type ?? "")?.[1] ?? "";
  if (!new RegExp(`^class ${className}\\(`, "m").test(stubs)) return undefined;
  const fields = listFields(stubs);
  const isKey = access.kind === "subscript";
  // A member of a union may have it, and the program may have checked which one it is.
  if (isKey && (fields.has(message.name) || hasOpenAnswers(context))) return undefined;
  if (!isKey && !fields.has(message.name)) return undefined;
  const { syntax, request } = context;
  const writes = findWrites(context);
  const isMentioned = syntax.nodes.some((node) => {
    const parent = node.kind === "text" && node.value === message.name ? syntax.parentOf(node) : undefined;
    return parent !== undefined && !(parent.kind === "subscript" && parent.index === node);
  });
  if (isMentioned || writes.isWild || writes.isStored(access) || writes.isInspected(access.object))
    return undefined;
  if (writes.written.has(message.name) || context.isProbed(access)) return undefined;
  const text = showSource(syntax.text, access.object);
  const near = request.nearestNames(message.name, fields);
  const reason = isKey
    ? `there is no such field${didYouMean(near)}`
    : `it is a dictionary, write ${text}["${show(message.name, 40)}"]`;
  // An open schema allows undeclared fields.
  const isOpen = context.uses.calls.some(({ tool }) => hasOpenObjects(tool.outputSchema ?? {}));
  return {
    severity: isKey && isOpen ? "warning" : "error",
    code: "FIELD_UNKNOWN",
    offset: access.kind === "subscript" ? access.index.start : access.nameStart,
    message: `Cannot read ${quote(message.name)} of ${quote(text)}: ${reason}`,
  };
};

const judgeTypeMessage = (options: JudgeOptions): Finding | undefined =>
  options.message.kind === "argument" ? judgeArgument(options) : judgeAccess(options);

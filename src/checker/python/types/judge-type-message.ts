// Experimental: turns a type checker's message into a finding if it is certain, or drops it.
import { hasOpenObjects } from "../../../schema/index.js";
import type { Finding } from "../../check.js";
import { quote, quoteList, show } from "../../diagnostics.js";
import { nameTool, showSignature } from "../../rules/context.js";
import type { PythonContext } from "../dialect.js";
import { findWrites } from "../guards.js";
import type { Expression } from "../syntax/node.js";
import type { TypeMessage } from "./type-checkers.js";

export interface JudgeOptions {
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
  const text = show(syntax.text.slice(access.object.start, access.object.end).replace(/\s+/g, " "), 60);
  const near = request.nearestNames(message.name, fields);
  const reason = isKey
    ? `there is no such field${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`
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

export const judgeTypeMessage = (options: JudgeOptions): Finding | undefined =>
  options.message.kind === "argument" ? judgeArgument(options) : judgeAccess(options);

// Checks the fields of a tool's answer that a Python program reads against the declared ones.
import { didYouMean, type Finding, hintFields, quote, show, showSource } from "../check.js";
import { toWords } from "../program.js";
import { nameTool, showSignature } from "../rules/context.js";
import type { PythonContext } from "./dialect.js";
import { findWrites } from "./guards.js";
import {
  createResultReader,
  hasOtherFields,
  isClosedResult,
  isOnly,
  listKinds,
  listResultFields,
  type ResultType,
  toItem,
} from "./result-types.js";
import type { Expression, PythonNode } from "./syntax/node.js";

const maxReported = 20;

/** Attributes of dictionaries, lists and coroutines. */
const dictionaryMembers = toWords(
  "clear copy fromkeys get items keys pop popitem setdefault update values send throw close",
);
const listMembers = toWords(
  "append clear copy count extend index insert pop remove reverse sort send throw close",
);

type Access = Extract<Expression, { kind: "subscript" | "attribute" }>;

export const checkFields = (context: PythonContext): readonly Finding[] => {
  const { syntax } = context;
  const accesses = syntax.nodes.filter(
    (node): node is Access => node.kind === "subscript" || node.kind === "attribute",
  );
  if (accesses.length === 0 || context.uses.calls.length === 0) return [];
  const readType = createResultReader(context);
  const writes = findWrites(context);
  const findings: Finding[] = [];
  for (const access of accesses) {
    if (findings.length >= maxReported) break;
    const type = readType(access.object);
    if (type === undefined || writes.isStored(access)) continue;
    const found = judge(context, access, type, writes.isInspected(access.object));
    if (found === undefined || context.isProbed(access)) continue;
    const { field, isHint = false, isUndeclared = false, ...finding } = found;
    if (field !== undefined && (writes.isWild || writes.written.has(field))) continue;
    if (field !== undefined && !isHint && writes.tested.has(field)) continue;
    findings.push({ ...finding, severity: type.isLearned || isHint || isUndeclared ? "warning" : "error" });
  }
  return findings;
};

type Judged = Omit<Finding, "severity"> & {
  /** The missing field; undefined if the problem is the kind of value. */
  readonly field?: string | undefined;
  readonly isHint?: boolean | undefined;
  /** The schema is open, so the field may exist anyway. */
  readonly isUndeclared?: boolean | undefined;
};

const judge = (
  context: PythonContext,
  access: Access,
  type: ResultType,
  isInspected: boolean,
): Judged | undefined => {
  if (access.kind === "attribute") return judgeAttribute(context, access, type, isInspected);
  const { index, object } = access;
  if (index.kind === "number") {
    if (isInspected || !isOnly(type, "object")) return undefined;
    const lists = listResultFields(type);
    return describe(context, type, {
      offset: index.start,
      message: `Cannot read item ${index.value} of ${quote(textOf(context, object))}: it is a dictionary${ofCall(type)}, not a list`,
      fields: lists,
    });
  }
  if (index.kind !== "text") return undefined;
  const name = index.value;
  if (type.isKey === true) {
    if (isInspected) return undefined;
    return describe(context, type, {
      offset: index.start,
      message: `Cannot read ${quote(name)} of ${quote(textOf(context, object))}: it is a key of the iterated dictionary, not an item of a list`,
      fields: listResultFields({ root: type.root, schema: type.root }),
    });
  }
  if (isOnly(type, "array")) {
    if (isInspected) return undefined;
    const item = toItem(type);
    const fields = item === undefined ? [] : listResultFields(item);
    const which = fields.includes(name) ? `its items have ${quote(name)}` : "look at its items";
    return describe(context, type, {
      offset: index.start,
      message: `Cannot read ${quote(name)} of ${quote(textOf(context, object))}: it is a list${ofCall(type)}, ${which}`,
      fields,
      ofItems: true,
    });
  }
  return judgeField(context, access, type, name, index.start);
};

const judgeField = (
  context: PythonContext,
  access: Access,
  type: ResultType,
  name: string,
  offset: number,
): Judged | undefined => {
  const fields = listResultFields(type);
  if (fields.includes(name) || hasOtherFields(type) || listKinds(type).has("unknown")) return undefined;
  const meant = didYouMean(context.request.nearestNames(name, fields));
  const isUndeclared = !type.isLearned && !isClosedResult(type);
  const lack = isUndeclared ? "the server declares no such field" : "there is no such field";
  return {
    ...describe(context, type, {
      offset,
      message: `Cannot read ${quote(name)} of ${quote(textOf(context, access.object))}: ${lack}${ofCall(type)}${meant}`,
      fields,
    }),
    field: name,
    isUndeclared,
  };
};

/** Answers are dictionaries and lists, so their fields are not attributes. */
const judgeAttribute = (
  context: PythonContext,
  access: Extract<Access, { kind: "attribute" }>,
  type: ResultType,
  isInspected: boolean,
): Judged | undefined => {
  const { name, nameStart, object } = access;
  const parent = context.syntax.parentOf(access);
  const isCalled = parent?.kind === "call" && parent.callee === access;
  const [key] = isCalled ? parent.values : [];
  // A field read with `get` may be missing, but one that is never there deserves a warning.
  if (name === "get" && isOnly(type, "object") && key?.kind === "text") {
    const found = judgeField(context, access, type, key.value, key.start);
    return found === undefined ? undefined : { ...found, isHint: true };
  }
  if (isInspected || name.startsWith("_")) return undefined;
  const text = textOf(context, object);
  if (isOnly(type, "object") && !dictionaryMembers.has(name)) {
    const fields = listResultFields(type);
    const [near = name] = fields.includes(name) ? [name] : context.request.nearestNames(name, fields, 1);
    return describe(context, type, {
      offset: nameStart,
      message: `Cannot read ${quote(name)} of ${quote(text)}: it is a dictionary${ofCall(type)}, write ${text}["${show(near, 40)}"]`,
      fields,
    });
  }
  if (!isOnly(type, "array") || listMembers.has(name)) return undefined;
  const item = toItem(type);
  return describe(context, type, {
    offset: nameStart,
    message: `Cannot read ${quote(name)} of ${quote(text)}: it is a list${ofCall(type)}, look at its items`,
    fields: item === undefined ? [] : listResultFields(item),
    ofItems: true,
  });
};

const ofCall = ({ call }: ResultType): string =>
  ` in the result of ${quote(nameTool(call.server, call.tool))}`;

const textOf = ({ syntax }: PythonContext, node: PythonNode): string => showSource(syntax.text, node);

interface FieldReport {
  readonly offset: number;
  readonly message: string;
  readonly fields: readonly string[];
  /** The fields belong to the list's items. */
  readonly ofItems?: boolean | undefined;
}

const describe = (
  context: PythonContext,
  { call }: ResultType,
  { offset, message, fields, ofItems = false }: FieldReport,
): Judged => {
  const signature = showSignature(context, call.server, call.tool);
  return { code: "FIELD_UNKNOWN", offset, message, hint: hintFields(fields, { ofItems, signature }) };
};

// Finds the function that a Python skill module exports and reads its parameters.
import type { Json, JsonObject } from "../../contracts/index.js";
import { type SkillFunction, toOneLine } from "../program.js";
import { listPlaces, type ParsedPython, parsePython } from "../python/parse-python.js";
import type { Expression, FunctionDefinition, Parameter, Statement } from "../python/syntax/node.js";

const plain: Readonly<Record<string, JsonObject>> = {
  str: { type: "string" },
  int: { type: "integer" },
  float: { type: "number" },
  bool: { type: "boolean" },
  dict: { type: "object" },
  list: { type: "array" },
};

const maxDepth = 8;

const toUnion = (members: readonly Expression[], depth: number): JsonObject => ({
  anyOf: members.map((member) => toSchema(member, depth + 1)) as Json,
});

/** `a | b | c` as a list. */
const listMembers = (node: Expression): readonly Expression[] =>
  node.kind === "operation" && node.operator === "|" ? node.operands.flatMap(listMembers) : [node];

const toConstant = (node: Expression): Json | undefined => {
  if (node.kind === "text" || node.kind === "constant") return node.value;
  if (node.kind === "number") return node.value;
  const [only] = node.kind === "operation" && node.operator === "-" ? node.operands : [];
  return only?.kind === "number" && only.value !== undefined ? -only.value : undefined;
};

/** The schema of an annotation. What is not understood may be anything. */
const toSchema = (node: Expression | undefined, depth = 0): JsonObject => {
  if (node === undefined || depth > maxDepth) return {};
  if (node.kind === "name") return Object.hasOwn(plain, node.name) ? (plain[node.name] ?? {}) : {};
  if (node.kind === "constant" && node.value === null) return { type: "null" };
  if (node.kind === "operation" && node.operator === "|") return toUnion(listMembers(node), depth);
  if (node.kind !== "subscript") return {};
  const { object, index } = node;
  const isTyping =
    object.kind === "attribute" && object.object.kind === "name" && object.object.name === "typing";
  const parts = index.kind === "tuple" ? index.items : [index];
  switch (object.kind === "name" || isTyping ? object.name : "") {
    case "list":
    case "List":
    case "Sequence":
    case "Iterable":
      return { type: "array", items: toSchema(parts[0], depth + 1) };
    case "dict":
    case "Dict":
    case "Mapping":
      return { type: "object", additionalProperties: toSchema(parts[1], depth + 1) };
    case "Optional":
      return { anyOf: [toSchema(index, depth + 1) as Json, { type: "null" }] };
    case "Union":
      return toUnion(parts, depth);
    case "Literal": {
      const constants = parts.map(toConstant);
      return constants.every((one) => one !== undefined) ? { enum: constants } : {};
    }
    default:
      return {};
  }
};

const readParameters = (parameters: readonly Parameter[]): JsonObject => {
  const named = parameters.filter(({ isRest }) => !isRest);
  const required = named.filter(({ fallback }) => fallback === undefined).map(({ name }) => name.name);
  const properties = named.map(({ name, annotation }) => [name.name, toSchema(annotation)]);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as Json,
    ...(required.length === 0 ? {} : { required }),
    ...(named.length < parameters.length ? {} : { additionalProperties: false }),
  };
};

/** The definition up to its body, without comments. */
const readHead = ({ top, syntax }: ParsedPython, { name, blocks }: FunctionDefinition): string => {
  const comments = listPlaces(top, /^Comment$/);
  let at = name.start;
  const end = blocks[0]?.start ?? name.end;
  let head = "";
  for (const comment of comments.filter(({ start }) => at <= start && start < end)) {
    head += syntax.text.slice(at, comment.start);
    at = comment.end;
  }
  return toOneLine(head + syntax.text.slice(at, end));
};

const isExported = (node: Statement): node is FunctionDefinition =>
  node.kind === "function" && /^[A-Za-z]\w*$/.test(node.name.name);

/** Undefined if the module defines no function. `wanted` is its expected name. */
export const readPythonFunction = (text: string, wanted: string): SkillFunction | undefined => {
  const parsed = parsePython(text);
  const functions = parsed?.syntax.statements.filter(isExported) ?? [];
  const found = functions.find(({ name }) => name.name === wanted) ?? functions[0];
  if (parsed === undefined || found === undefined) return undefined;
  const [first] = found.blocks[0]?.statements ?? [];
  const comment = first?.kind === "expression" && first.value.kind === "text" ? first.value.value : "";
  return {
    name: found.name.name,
    isDefault: false,
    isAsync: text.slice(found.start, found.name.start).startsWith("async"),
    takes: "object",
    parameters: readParameters(found.parameters),
    signature: readHead(parsed, found),
    description: toOneLine(comment),
  };
};

/** The same, but undefined unless calls certainly reach this function: not if it is decorated or defined twice. */
export const readPlainFunction = (text: string, wanted: string): SkillFunction | undefined => {
  const statements = parsePython(text)?.syntax.statements ?? [];
  const [only, ...others] = statements.filter(
    (node) => node.kind === "function" && node.name.name === wanted,
  );
  const isPlain = only?.kind === "function" && only.decorators.length === 0 && others.length === 0;
  return isPlain ? readPythonFunction(text, wanted) : undefined;
};

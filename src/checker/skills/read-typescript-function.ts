// Finds the function that a TypeScript skill module exports and reads its parameters.
import {
  type ArrowFunctionExpression,
  type Function as FunctionNode,
  type Node,
  type ParamPattern,
  type Program,
  parseSync,
} from "oxc-parser";
import type { Json, JsonObject } from "../../contracts/index.js";
import { type SkillFunction, toOneLine } from "../program.js";
import { readModuleName } from "../typescript/read-node.js";

type AnyFunction = FunctionNode | ArrowFunctionExpression;

interface Candidate {
  readonly name: string;
  readonly isDefault: boolean;
  readonly node: AnyFunction;
  /** Where its doc comment would end. */
  readonly start: number;
}

const asFunction = (node: Node | null | undefined): AnyFunction | undefined =>
  node?.type === "FunctionDeclaration" ||
  node?.type === "FunctionExpression" ||
  node?.type === "ArrowFunctionExpression"
    ? (node as AnyFunction)
    : undefined;

/** Functions that a statement declares, by name. */
const declared = (node: Node): readonly (readonly [string, AnyFunction])[] => {
  if (node.type === "FunctionDeclaration" && node.id !== null) return [[node.id.name, node as AnyFunction]];
  if (node.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap(({ id, init }) => {
    const found = asFunction(init);
    return id.type === "Identifier" && found !== undefined ? [[id.name, found] as const] : [];
  });
};

const listCandidates = (body: readonly Node[]): readonly Candidate[] => {
  const own = new Map(
    body.flatMap((node) => declared(node).map(([name, found]) => [name, { node: found, start: node.start }])),
  );
  return body.flatMap((node): readonly Candidate[] => {
    if (node.type === "ExportDefaultDeclaration") {
      const { declaration, start } = node;
      const found = asFunction(declaration as Node);
      if (found !== undefined) return [{ name: "default", isDefault: true, node: found, start }];
      const known = declaration.type === "Identifier" ? own.get(declaration.name) : undefined;
      return known === undefined ? [] : [{ name: "default", isDefault: true, ...known }];
    }
    if (node.type !== "ExportNamedDeclaration") return [];
    if (node.declaration !== null)
      return declared(node.declaration as Node).map(([name, found]) => ({
        name,
        isDefault: false,
        node: found,
        start: node.start,
      }));
    return node.specifiers.flatMap(({ local, exported }) => {
      const known = local.type === "Identifier" ? own.get(local.name) : undefined;
      const name = readModuleName(exported);
      return known === undefined ? [] : [{ name, isDefault: name === "default", ...known }];
    });
  });
};

interface Parameter {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** A parameter without a type has the type of its default. */
const typeOf = (node: Node): JsonObject => {
  const kind = node.type === "Literal" ? typeof node.value : "other";
  return ["string", "number", "boolean"].includes(kind) ? { type: kind } : {};
};

const readParameter = (node: ParamPattern, at: number, types: DeclaredTypes): Parameter => {
  const pattern = node.type === "TSParameterProperty" ? node.parameter : node;
  const inner = pattern.type === "AssignmentPattern" ? pattern.left : pattern;
  const isOptional = pattern.type === "AssignmentPattern" || ("optional" in inner && inner.optional === true);
  const annotation = "typeAnnotation" in inner ? inner.typeAnnotation?.typeAnnotation : undefined;
  return {
    name: inner.type === "Identifier" ? inner.name : `value${at + 1}`,
    schema:
      annotation === undefined && pattern.type === "AssignmentPattern"
        ? typeOf(pattern.right)
        : toSchema(annotation, types),
    isRequired: !isOptional && inner.type !== "RestElement",
  };
};

/** The names of `({ repo, limit = 5 })` without a type annotation. */
const readPattern = (node: ParamPattern): JsonObject | undefined => {
  const inner = node.type === "AssignmentPattern" ? node.left : node;
  if (inner.type !== "ObjectPattern") return undefined;
  const fields = inner.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier"
      ? [{ name: property.key.name, isRequired: property.value.type !== "AssignmentPattern" }]
      : [],
  );
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name }) => [name, {}])) as Json,
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
};

const readParameters = (
  params: readonly ParamPattern[],
  types: DeclaredTypes,
): Pick<SkillFunction, "takes" | "parameters"> => {
  const [first] = params;
  if (first === undefined)
    return { takes: "object", parameters: { type: "object", properties: {}, additionalProperties: false } };
  const read = params.map((node, at) => readParameter(node, at, types));
  const [only] = read;
  if (params.length === 1 && only !== undefined) {
    if (only.schema.type === "object") return { takes: "object", parameters: only.schema };
    const fields = readPattern(first);
    if (fields !== undefined) return { takes: "object", parameters: fields };
  }
  return {
    takes: "values",
    parameters: {
      type: "object",
      properties: Object.fromEntries(read.map(({ name, schema }) => [name, schema])) as Json,
      required: read.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
  };
};

const readComment = (
  comments: readonly { readonly type: string; readonly value: string; readonly end: number }[],
  text: string,
  start: number,
): string => {
  const before = comments.filter(({ type, end }) => type === "Block" && end <= start).at(-1);
  if (before === undefined || text.slice(before.end, start).trim() !== "") return "";
  const lines = before.value.split("\n").map((line) => line.trimStart().replace(/^\*+/, "").trim());
  // Tags such as "@param" are not part of the description.
  const tag = lines.findIndex((line) => line.startsWith("@"));
  return toOneLine(lines.slice(0, tag < 0 ? undefined : tag).join(" "));
};

/** Undefined if the module exports no function. `wanted` is its expected name. */
export const readTypeScriptFunction = (text: string, wanted: string): SkillFunction | undefined => {
  const { program, comments } = parseSync("skill.ts", text, { lang: "ts", sourceType: "module" });
  const candidates = listCandidates(program.body as readonly Node[]);
  const found =
    candidates.find(({ name }) => name === wanted) ??
    candidates.find(({ isDefault }) => isDefault) ??
    candidates[0];
  if (found === undefined) return undefined;
  const { node } = found;
  const name = found.isDefault ? wanted : found.name;
  const taken = text.slice(node.params[0]?.start ?? 0, node.params.at(-1)?.end ?? 0);
  const result =
    node.returnType === null || node.returnType === undefined
      ? ""
      : text.slice(node.returnType.start, node.returnType.end);
  return {
    name,
    isDefault: found.isDefault,
    isAsync: node.async,
    ...readParameters(node.params, listTypes(program.body)),
    signature: toOneLine(`${name}(${node.params.length === 0 ? "" : taken})${result}`),
    description: readComment(comments, text, found.start),
  };
};

/** Interfaces and types that the module declares. */
type DeclaredTypes = ReadonlyMap<string, Node>;

const maxDepth = 8;

const listTypes = (statements: Program["body"]): DeclaredTypes => {
  const types = new Map<string, Node>();
  for (const statement of statements) {
    const node =
      statement.type === "ExportNamedDeclaration" && statement.declaration !== null
        ? statement.declaration
        : statement;
    if (node.type === "TSInterfaceDeclaration") types.set(node.id.name, node.body);
    if (node.type === "TSTypeAliasDeclaration") types.set(node.id.name, node.typeAnnotation);
  }
  return types;
};

const plain: Readonly<Record<string, JsonObject>> = {
  TSStringKeyword: { type: "string" },
  TSNumberKeyword: { type: "number" },
  TSBooleanKeyword: { type: "boolean" },
  TSNullKeyword: { type: "null" },
  TSObjectKeyword: { type: "object" },
};

const toMembers = (members: readonly Node[], types: DeclaredTypes, depth: number): JsonObject => {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  let isOpen = false;
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || member.computed) {
      isOpen = true;
      continue;
    }
    const { key } = member;
    const name =
      key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
    if (name === undefined) {
      isOpen = true;
      continue;
    }
    properties[name] = toSchema(member.typeAnnotation?.typeAnnotation, types, depth + 1);
    if (!member.optional) required.push(name);
  }
  return {
    type: "object",
    properties: properties as Json,
    ...(required.length === 0 ? {} : { required }),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
};

const toUnion = (members: readonly Node[], types: DeclaredTypes, depth: number): JsonObject => {
  const given = members.filter(({ type }) => type !== "TSUndefinedKeyword");
  const schemas = given.map((member) => toSchema(member, types, depth + 1));
  const constants = schemas.map((schema) => ("const" in schema ? schema.const : undefined));
  if (constants.every((one) => one !== undefined)) return { enum: constants as Json[] };
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas as Json };
};

const toSchema = (node: Node | null | undefined, types: DeclaredTypes, depth = 0): JsonObject => {
  if (node === null || node === undefined || depth > maxDepth) return {};
  const known = plain[node.type];
  if (known !== undefined) return known;
  switch (node.type) {
    case "TSParenthesizedType":
      return toSchema(node.typeAnnotation, types, depth);
    case "TSLiteralType": {
      const { literal } = node;
      if (literal.type === "Literal" && ["string", "number", "boolean"].includes(typeof literal.value))
        return { const: literal.value as Json };
      return {};
    }
    case "TSArrayType":
      return { type: "array", items: toSchema(node.elementType, types, depth + 1) };
    case "TSTypeOperator":
      return node.operator === "readonly" ? toSchema(node.typeAnnotation, types, depth) : {};
    case "TSUnionType":
      return toUnion(node.types, types, depth);
    case "TSTypeLiteral":
      return toMembers(node.members, types, depth);
    case "TSInterfaceBody":
      return toMembers(node.body, types, depth);
    case "TSTypeReference": {
      const name = node.typeName.type === "Identifier" ? node.typeName.name : "";
      const [inner, second] = node.typeArguments?.params ?? [];
      if (name === "Array" || name === "ReadonlyArray")
        return { type: "array", items: toSchema(inner, types, depth + 1) };
      if (name === "Record")
        return { type: "object", additionalProperties: toSchema(second, types, depth + 1) };
      return types.has(name) ? toSchema(types.get(name), types, depth + 1) : {};
    }
    default:
      return {};
  }
};

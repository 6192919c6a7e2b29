// Converts a TypeScript type to a JSON Schema. Whatever it does not specify stays open.
import type { Node, Program } from "oxc-parser";
import type { Json, JsonObject } from "../../contracts/index.js";

/** Interfaces and types that the module declares. */
export type DeclaredTypes = ReadonlyMap<string, Node>;

const maxDepth = 8;

export const listTypes = (statements: Program["body"]): DeclaredTypes => {
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

export const toSchema = (node: Node | null | undefined, types: DeclaredTypes, depth = 0): JsonObject => {
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

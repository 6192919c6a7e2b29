// A JSON Schema of any draft → a tree of types, and the types of one tool. What has no type becomes `unknown` and is reported.
import type { JsonSchema, Tool } from "../../contracts/index.js";
import {
  isSchemaObject,
  listOwnTypes,
  readItems,
  readList,
  readReference,
  type SchemaObject,
  typeKeywords,
} from "../../schema/index.js";
import {
  fallBack,
  type Place,
  type ReadContext,
  readDocumentation,
  readObject,
  stepInto,
} from "./read-object.js";
import {
  type Definition,
  type Fallback,
  neverNode,
  type TypeNode,
  type TypeTree,
  toIntersection,
  toUnion,
  unknownNode,
} from "./type-node.js";

/** The definitions that a type is an alias of, without those that it contains. */
const listAliases = (node: TypeNode): readonly string[] => {
  if (node.kind === "reference") return [node.pointer];
  return node.kind === "union" || node.kind === "intersection" ? node.members.flatMap(listAliases) : [];
};

/** Replaces types that are only themselves (`A = A | B`), which no language can declare, by `unknown`. */
const breakAliasCycles = (tree: TypeTree, path: string): TypeTree => {
  const nodes = new Map<string, TypeNode>([["#", tree.root]]);
  for (const [pointer, { type }] of tree.definitions) nodes.set(pointer, type);
  const reachesItself = (start: string): boolean => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const next of listAliases(nodes.get(at) ?? unknownNode)) {
        if (next === start) return true;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    return false;
  };
  const broken = new Set([...nodes.keys()].filter(reachesItself));
  if (broken.size === 0) return tree;
  const definitions = new Map<string, Definition>();
  for (const [pointer, definition] of tree.definitions) {
    definitions.set(pointer, broken.has(pointer) ? { ...definition, type: unknownNode } : definition);
  }
  const reason = "a type that refers only to itself";
  const added = [...broken].map((pointer): Fallback => ({ path: `${path}${pointer}`.slice(0, 300), reason }));
  return {
    root: broken.has("#") ? unknownNode : tree.root,
    definitions,
    fallbacks: [...tree.fallbacks, ...added],
  };
};

const maxDepth = 40;
const maxDefinitions = 2000;

type SchemaPlace = Place & { readonly schema: SchemaObject };

const readArray = (place: SchemaPlace): TypeNode => {
  const { prefixItems, items, minItems } = place.schema;
  const keyword = Array.isArray(prefixItems) ? "prefixItems" : "items";
  const { first, rest } = readItems(place.schema);
  if (first.length > 0) {
    const nodes = first.map((item, index) => readNode(stepInto(place, item, keyword, index)));
    const minimum =
      typeof minItems === "number" ? Math.min(Math.max(minItems, 0), nodes.length) : nodes.length;
    const isOpen = isSchemaObject(rest) || rest === true;
    return {
      kind: "tuple",
      items: nodes,
      minimum,
      rest: isOpen ? readNode(stepInto(place, rest, "items")) : undefined,
    };
  }
  if (items === undefined || Array.isArray(items)) {
    return { kind: "array", items: fallBack(stepInto(place, undefined, "items"), "items are not declared") };
  }
  return { kind: "array", items: readNode(stepInto(place, items, "items")) };
};

const readNamedType = (place: SchemaPlace, type: unknown): TypeNode => {
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { kind: type };
    case "object":
      return readObject(place, readNode);
    case "array":
      return readArray(place);
    default:
      return fallBack(place, "not a type of JSON Schema");
  }
};

const readLiteral = (place: Place, value: unknown): TypeNode => {
  if (value === null) return { kind: "null" };
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "literal", value };
  }
  return fallBack(place, "a literal that is an object or array");
};

/** The type that the schema says itself; undefined if it only refers to others, or says nothing. */
const readOwnType = (place: SchemaPlace): TypeNode | undefined => {
  const { schema } = place;
  if (Object.hasOwn(schema, "const")) return readLiteral(stepInto(place, undefined, "const"), schema.const);
  if (Array.isArray(schema.enum)) {
    const at = stepInto(place, undefined, "enum");
    if (schema.enum.length === 0) return fallBack(at, "an empty list of values", neverNode);
    return toUnion(schema.enum.map((value) => readLiteral(at, value)));
  }
  const types = listOwnTypes(schema);
  return types.length === 0 ? undefined : toUnion(types.map((type) => readNamedType(place, type)));
};

/** Definitions are read later and one by one, so that long chains and loops cost no stack. */
const toReference = (place: Place, reference: unknown): TypeNode => {
  const { definitions, root } = place.context;
  if (reference === "#") return { kind: "reference", pointer: "#" };
  if (typeof reference !== "string" || !reference.startsWith("#/")) {
    return fallBack(place, "a reference outside the schema");
  }
  if (!definitions.has(reference)) {
    if (definitions.size >= maxDefinitions) return fallBack(place, `more than ${maxDefinitions} definitions`);
    const schema = readReference(root, reference);
    if (schema === undefined) return fallBack(place, "a reference that cannot be resolved");
    definitions.set(reference, { type: unknownNode, documentation: readDocumentation(schema) });
  }
  return { kind: "reference", pointer: reference };
};

const definingKeywords = ["type", "const", "enum", "$ref", "allOf", "anyOf", "oneOf", ...typeKeywords];

/** Branches that only list required fields, or exclude something, have no type of their own. */
const definesType = (schema: unknown): boolean =>
  !isSchemaObject(schema) || definingKeywords.some((keyword) => Object.hasOwn(schema, keyword));

const readUnion = (place: SchemaPlace, keyword: "anyOf" | "oneOf"): readonly TypeNode[] => {
  const branches = readList(place.schema[keyword]);
  if (branches.length === 0 || !branches.every(definesType)) return [];
  return [toUnion(branches.map((branch, index) => readNode(stepInto(place, branch, keyword, index))))];
};

/** Only `type`: it adds nothing to a reference or a union. */
const isBare = (schema: SchemaObject): boolean =>
  !["const", "enum", ...typeKeywords].some((keyword) => Object.hasOwn(schema, keyword));

const readParts = (place: SchemaPlace): TypeNode => {
  const { context, schema } = place;
  const reportedBefore = context.fallbacks.length;
  const parts = [
    ...(schema.$ref === undefined ? [] : [toReference(place, schema.$ref)]),
    ...readList(schema.allOf)
      .map((part, index) => stepInto(place, part, "allOf", index))
      .filter((part) => definesType(part.schema))
      .map(readNode),
    ...readUnion(place, "anyOf"),
    ...readUnion(place, "oneOf"),
  ].filter(({ kind }) => kind !== "unknown");
  if (parts.length > 0 && isBare(schema)) return toIntersection(parts);
  const own = readOwnType(place);
  if (own !== undefined) return toIntersection([own, ...parts]);
  if (parts.length > 0) return toIntersection(parts);
  return context.fallbacks.length > reportedBefore
    ? unknownNode
    : fallBack(place, "the schema names no type");
};

const readNode = (place: Place): TypeNode => {
  const { schema, depth } = place;
  if (schema === false) return fallBack(place, "the schema allows nothing", neverNode);
  if (schema === true) return fallBack(place, "the schema allows anything");
  if (!isSchemaObject(schema)) return fallBack(place, "not a schema");
  if (depth > maxDepth) return fallBack(place, `nested deeper than ${maxDepth} levels`);
  const node = readParts({ ...place, schema });
  return schema.nullable === true ? toUnion([node, { kind: "null" }]) : node;
};

interface ReadOptions {
  readonly schema: JsonSchema;
  readonly side: ReadContext["side"];
}

/** Never throws, whatever the schema. */
const readTypeTree = ({ schema, side }: ReadOptions): TypeTree => {
  const context: ReadContext = { root: schema, side, definitions: new Map(), fallbacks: [] };
  const path = side === "arguments" ? "inputSchema" : "outputSchema";
  const root = readNode({ context, schema, path, depth: 0 });
  // The map grows while it is iterated: a definition can be the first to refer to another.
  for (const [pointer, { documentation }] of context.definitions) {
    const found = readReference(schema, pointer);
    const type = readNode({ context, schema: found, path: `${path}${pointer.slice(1)}`, depth: 1 });
    context.definitions.set(pointer, { type, documentation });
  }
  return breakAliasCycles({ root, definitions: context.definitions, fallbacks: context.fallbacks }, path);
};

export interface ToolTypes {
  readonly arguments: TypeTree;
  readonly canOmitArguments: boolean;
  /** Undefined if the server declares no output and none was learned. */
  readonly result: TypeTree | undefined;
  /** A note on a learned result; undefined if the result is declared. */
  readonly learnedNote: string | undefined;
}

/** `known` holds decided definitions, so that each is visited once and cycles end. */
const canBeEmpty = (node: TypeNode, tree: TypeTree, known = new Map<string, boolean>()): boolean => {
  switch (node.kind) {
    case "object":
      return node.fields.every(({ isRequired }) => !isRequired);
    case "union":
      return node.members.some((member) => canBeEmpty(member, tree, known));
    case "intersection":
      return node.members.every((member) => canBeEmpty(member, tree, known));
    case "reference": {
      const decided = known.get(node.pointer);
      if (decided !== undefined) return decided;
      known.set(node.pointer, false);
      const definition = tree.definitions.get(node.pointer);
      const isEmpty = definition !== undefined && canBeEmpty(definition.type, tree, known);
      known.set(node.pointer, isEmpty);
      return isEmpty;
    }
    default:
      return node.kind === "unknown";
  }
};

/** MCP passes arguments as an object, whatever a server's schema says. */
const toArguments = (tree: TypeTree): TypeTree => {
  const { kind } = tree.root;
  if (kind === "object" || kind === "union" || kind === "intersection" || kind === "reference") return tree;
  const fallbacks: readonly Fallback[] =
    kind === "unknown"
      ? tree.fallbacks
      : [...tree.fallbacks, { path: "inputSchema", reason: "not an object" }];
  return { ...tree, root: { kind: "object", fields: [], rest: unknownNode }, fallbacks };
};

/** Reads both schemas of a tool. A result that is not declared may be learned. */
export const readToolTypes = ({ inputSchema, outputSchema, learned }: Tool): ToolTypes => {
  const tree = toArguments(readTypeTree({ schema: inputSchema, side: "arguments" }));
  const schema = outputSchema ?? learned?.schema;
  const isLearned = outputSchema === undefined && learned !== undefined;
  const count = learned?.answers === 1 ? "1 answer" : `${learned?.answers} answers`;
  return {
    arguments: tree,
    canOmitArguments: canBeEmpty(tree.root, tree),
    result: schema === undefined ? undefined : readTypeTree({ schema, side: "result" }),
    learnedNote: isLearned ? `Learned from ${count}, not declared by the server: a hint` : undefined,
  };
};

// Types as data, between JSON Schema and the languages of the libraries: unions and intersections in simplest form, and unique names.
import type { Tool } from "../../contracts/index.js";
import { listSegments } from "../../schema/index.js";

export type LiteralValue = string | number | boolean;

export type TypeNode =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "unknown" | "never" }
  | { readonly kind: "literal"; readonly value: LiteralValue }
  | { readonly kind: "array"; readonly items: TypeNode }
  | {
      readonly kind: "tuple";
      readonly items: readonly TypeNode[];
      /** How many of the items are required. */
      readonly minimum: number;
      readonly rest?: TypeNode | undefined;
    }
  | ObjectNode
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeNode[] }
  /** A definition of the same tree, by the pointer in its `$ref`; `#` is the root. */
  | { readonly kind: "reference"; readonly pointer: string };

/** Without fields and `rest`, an empty object. */
export interface ObjectNode {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** The type of other keys. Next to fields it is `unknown`, or all types are simple. */
  readonly rest?: TypeNode | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: TypeNode;
  readonly isRequired: boolean;
  readonly documentation: Documentation;
  /** Of an optional argument: what the server takes without it, if that is worth a word. */
  readonly fallback?: LiteralValue | undefined;
}

/** Comments on a type. The texts are the server's: untrusted. */
export interface Documentation {
  readonly description?: string | undefined;
  /** `Default: 10`, `Format: date-time`, ... */
  readonly notes: readonly string[];
}

/** A place whose type is not known and became `unknown` or `never`. */
export interface Fallback {
  /** A pointer that starts with the schema's name: `inputSchema/properties/mode`. */
  readonly path: string;
  readonly reason: string;
}

export interface Definition {
  readonly type: TypeNode;
  readonly documentation: Documentation;
}

export interface TypeTree {
  readonly root: TypeNode;
  /** What references point at, in the order they are found, without the root. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly fallbacks: readonly Fallback[];
}

export const unknownNode: TypeNode = { kind: "unknown" };
export const neverNode: TypeNode = { kind: "never" };

const toKey = (node: TypeNode): unknown => {
  if (node.kind === "literal") return JSON.stringify(node.value);
  if (node.kind === "reference") return `#${node.pointer}`;
  return "items" in node || "members" in node || "fields" in node ? node : node.kind;
};

const flatten = (kind: "union" | "intersection", nodes: readonly TypeNode[]): readonly TypeNode[] => {
  const flat = nodes.flatMap((node) => (node.kind === kind ? node.members : [node]));
  return [...new Map(flat.map((node) => [toKey(node), node])).values()];
};

/** A value of any of the types. */
export const toUnion = (nodes: readonly TypeNode[]): TypeNode => {
  const members = flatten("union", nodes).filter(({ kind }) => kind !== "never");
  const [only] = members;
  if (only === undefined) return neverNode;
  if (members.some(({ kind }) => kind === "unknown")) return unknownNode;
  return members.length === 1 ? only : { kind: "union", members };
};

const mergeObjects = (objects: readonly ObjectNode[]): readonly ObjectNode[] => {
  const fields: Field[] = [];
  const names = new Set<string>();
  const apart: ObjectNode[] = [];
  for (const node of objects) {
    if (node.rest !== undefined || node.fields.some(({ name }) => names.has(name))) {
      apart.push(node);
      continue;
    }
    for (const field of node.fields) names.add(field.name);
    fields.push(...node.fields);
  }
  // An object without fields adds nothing to one with fields.
  return fields.length > 0 ? [{ kind: "object", fields }, ...apart] : apart;
};

/** A value of all the types. Objects without common fields become one. */
export const toIntersection = (nodes: readonly TypeNode[]): TypeNode => {
  const flat = flatten("intersection", nodes).filter(({ kind }) => kind !== "unknown");
  const objects = flat.filter((node) => node.kind === "object");
  const members = [
    ...(objects.length > 1 ? mergeObjects(objects) : objects),
    ...flat.filter(({ kind }) => kind !== "object"),
  ];
  const [only] = members;
  if (only === undefined) return objects[0] ?? unknownNode;
  return members.length === 1 ? only : { kind: "intersection", members };
};

const maxName = 120;

const toPascalCase = (text: string): string =>
  text
    .slice(0, maxName)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|[\u{10000}-\u{10ffff}]/gu, " ")
    .split(/(?:[^\p{ID_Continue}]|_)+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, maxName);

const isKeyword = (segment: string): boolean =>
  /^(?:\d+|properties|items|prefixItems|anyOf|oneOf|allOf|\$defs|definitions|additionalProperties)$/.test(
    segment,
  );

/** The last segment of a pointer that is no keyword: `#/properties/filter/anyOf/0` → `Filter`. */
export const toPointerName = (pointer: string): string =>
  toPascalCase(listSegments(pointer).findLast((segment) => !isKeyword(segment)) ?? "Part") || "Part";

/** Claims names, each only once. */
export interface TypeNames {
  readonly claim: (wanted: string) => string;
}

/** `reserved` names are already taken. */
export const openTypeNames = (reserved: Iterable<string>): TypeNames => {
  const taken = new Set(reserved);
  const lastNumber = new Map<string, number>();
  return {
    claim: (wanted) => {
      let name = wanted;
      let number = lastNumber.get(wanted) ?? 1;
      while (taken.has(name)) {
        number += 1;
        name = /\d$/.test(wanted) ? `${wanted}_${number}` : `${wanted}${number}`;
      }
      lastNumber.set(wanted, number);
      taken.add(name);
      return name;
    },
  };
};

export interface ToolTypeNames {
  readonly arguments: string;
  readonly result: string;
}

/** `createIssue` → `CreateIssue`, with which the names of its types begin. */
export const toTypeBase = ({ functionName }: Pick<Tool, "functionName">): string =>
  functionName.charAt(0).toUpperCase() + functionName.slice(1);

/** Claims the names of a tool's arguments and result types. */
export const claimToolNames = (base: string, names: TypeNames): ToolTypeNames => ({
  arguments: names.claim(`${base}Arguments`),
  result: names.claim(`${base}Result`),
});

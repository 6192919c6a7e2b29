// Unions and intersections in their simplest form.
import type { Field, ObjectNode, TypeNode } from "./type-node.js";
import { neverNode, unknownNode } from "./type-node.js";

const toKey = (node: TypeNode): unknown => {
  if (node.kind === "literal") return JSON.stringify(node.value);
  if (node.kind === "reference") return `#${node.pointer}`;
  return "items" in node || "members" in node || "fields" in node ? node : node.kind;
};

const flatten = (kind: "union" | "intersection", nodes: readonly TypeNode[]): readonly TypeNode[] => {
  const flat = nodes.flatMap((node) => (node.kind === kind ? node.members : [node]));
  return [...new Map(flat.map((node) => [toKey(node), node])).values()];
};

/** One of them. */
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
  // An object without fields says nothing next to one that has some.
  return fields.length > 0 ? [{ kind: "object", fields }, ...apart] : apart;
};

/** All of them at once; objects whose fields differ become one. */
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

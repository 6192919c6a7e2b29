// Intersections as unions of plain objects, because Python has no intersection types.
import {
  type Definition,
  type Field,
  type ObjectNode,
  type TypeNode,
  toIntersection,
} from "../type-tree/type-node.js";

type Definitions = ReadonlyMap<string, Definition>;

const maxAlternatives = 16;
const maxHops = 16;
/** Definitions that use each other many times would take exponential time. */
const maxVisits = 500;

const mergeFields = (left: Field, right: Field): Field => ({
  ...left,
  type: toIntersection([left.type, right.type]),
  isRequired: left.isRequired || right.isRequired,
});

const mergeObjects = (left: ObjectNode, right: ObjectNode): ObjectNode => {
  const fields = new Map(left.fields.map((field) => [field.name, field]));
  for (const field of right.fields) {
    const known = fields.get(field.name);
    fields.set(field.name, known === undefined ? field : mergeFields(known, field));
  }
  return { kind: "object", fields: [...fields.values()], rest: left.rest ?? right.rest };
};

/** The objects that a type can be; undefined if it can be something else, or too many objects. */
export const listObjects = (
  node: TypeNode,
  definitions: Definitions,
  hops = 0,
  budget = { left: maxVisits },
): readonly ObjectNode[] | undefined => {
  budget.left -= 1;
  if (hops > maxHops || budget.left < 0) return undefined;
  if (node.kind === "object") return [node];
  if (node.kind === "reference") {
    const definition = definitions.get(node.pointer);
    return definition === undefined ? undefined : listObjects(definition.type, definitions, hops + 1, budget);
  }
  if (node.kind !== "union" && node.kind !== "intersection") return undefined;
  let found: readonly ObjectNode[] | undefined;
  for (const member of node.members) {
    const list = listObjects(member, definitions, hops + 1, budget);
    if (list === undefined) return undefined;
    if (found === undefined) found = list;
    else if (node.kind === "union") found = [...found, ...list];
    else found = found.flatMap((one) => list.map((other) => mergeObjects(one, other)));
    if (found.length > maxAlternatives) return undefined;
  }
  return found;
};

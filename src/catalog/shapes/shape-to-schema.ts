// A shape as JSON Schema, so that what was learned is printed and checked like what is declared.
import type { JsonSchema, LearnedResult, Shape, ShapeNode } from "../../contracts/index.js";

const toObjectSchema = ({ fields = {}, isOpen }: ShapeNode): JsonSchema => {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isOptional !== true).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { type }]) => [name, toSchema(type)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen === true || entries.length === 0 ? { additionalProperties: true } : {}),
  };
};

/** Lists that were always empty, and whatever was too large, may hold anything. */
const toSchema = (node: ShapeNode): JsonSchema => {
  if (node.isUnknown === true) return {};
  const branches: JsonSchema[] = (node.scalars ?? []).map((type) => ({ type }));
  if (node.fields !== undefined) branches.push(toObjectSchema(node));
  if (node.values !== undefined)
    branches.push({ type: "object", additionalProperties: toSchema(node.values) });
  if (node.items !== undefined) branches.push({ type: "array", items: toSchema(node.items) });
  const [only] = branches;
  if (only === undefined) return {};
  return branches.length === 1 ? only : { anyOf: branches };
};

/** The schema of every answer so far, as far as the shape tells. */
export const shapeToSchema = ({ type }: Shape): JsonSchema => toSchema(type);

/** What a tool without a declared output carries. */
export const toLearnedResult = (shape: Shape): LearnedResult => ({
  schema: shapeToSchema(shape),
  answers: shape.answers,
});

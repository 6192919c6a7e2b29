// A shape as JSON Schema, so that learned results are printed and checked like declared ones.
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

/** Lists that were always empty, and parts that were cut off, may hold anything. */
const toSchema = (node: ShapeNode): JsonSchema => {
  if (node.isUnknown === true) return {};
  const { scalars = [] } = node;
  const branches: JsonSchema[] = scalars.filter((type) => type !== "null").map((type) => ({ type }));
  if (node.fields !== undefined) branches.push(toObjectSchema(node));
  if (node.values !== undefined)
    branches.push({ type: "object", additionalProperties: toSchema(node.values) });
  if (node.items !== undefined) branches.push({ type: "array", items: toSchema(node.items) });
  if (scalars.includes("null")) branches.push({ type: "null" });
  const [only] = branches;
  if (only === undefined) return {};
  return branches.length === 1 ? only : { anyOf: branches };
};

/** The schema that all answers so far fit. */
export const shapeToSchema = ({ type }: Shape): JsonSchema => toSchema(type);

/** The learned result of a tool that declares no output. */
export const toLearnedResult = (shape: Shape): LearnedResult => ({
  schema: shapeToSchema(shape),
  answers: shape.answers,
});

// Joins two shapes into one that fits whatever fits either, bounded in size.
import type {
  JsonSchema,
  LearnedResult,
  Shape,
  ShapeField,
  ShapeNode,
  ShapeScalar,
} from "../../contracts/index.js";
import { isSchemaObject, listRequired, readList, readProperties, resolveSchema } from "../../schema/index.js";

/** Levels of objects and lists. */
export const maxDepth = 10;
/** An object with more fields is a map. */
export const maxFields = 100;
/** With more fields than this, all of them optional, the keys are data. */
const maxOptionalFields = 24;
/** Nodes of a whole shape. */
const maxNodes = 1500;

type Fields = Readonly<Record<string, ShapeField>>;

export const unknownShape: ShapeNode = { isUnknown: true };

const scalarOrder: readonly ShapeScalar[] = ["null", "boolean", "integer", "number", "string"];

const joinScalars = (left: readonly ShapeScalar[], right: readonly ShapeScalar[]): readonly ShapeScalar[] => {
  const seen = new Set([...left, ...right]);
  // Every integer is a number.
  if (seen.has("number")) seen.delete("integer");
  return scalarOrder.filter((scalar) => seen.has(scalar));
};

interface ObjectShape {
  readonly fields: Fields;
  readonly isOpen?: true | undefined;
}

const joinField = (left: ShapeField | undefined, right: ShapeField, isMissing: boolean): ShapeField => {
  const type = left === undefined ? right.type : joinNodes(left.type, right.type);
  const isOptional = left?.isOptional === true || right.isOptional === true || isMissing;
  return isOptional ? { type, isOptional } : { type };
};

/** A field that only one object has is optional, unless the other object was cut off. */
const joinObjects = (left: ObjectShape, right: ObjectShape): ObjectShape => {
  const entries = Object.entries(left.fields).map(([name, field]): [string, ShapeField] => {
    const other = Object.hasOwn(right.fields, name) ? right.fields[name] : undefined;
    return [name, joinField(other, field, other === undefined && right.isOpen !== true)];
  });
  const added = Object.entries(right.fields)
    .filter(([name]) => !Object.hasOwn(left.fields, name))
    .map(([name, field]): [string, ShapeField] => [name, joinField(undefined, field, left.isOpen !== true)]);
  return {
    fields: Object.fromEntries([...entries, ...added]),
    isOpen: left.isOpen && right.isOpen,
  };
};

/** Whether an object's keys are too many to be names. */
const isWide = ({ fields }: ObjectShape): boolean => {
  const all = Object.values(fields);
  if (all.length > maxFields) return true;
  return all.length > maxOptionalFields && all.every(({ isOptional }) => isOptional === true);
};

/** One type for the values of all fields. */
const collapseFields = (fields: Fields, values?: ShapeNode): ShapeNode =>
  Object.values(fields).reduce<ShapeNode>((joined, { type }) => joinNodes(joined, type), values ?? {});

const toObject = ({ fields, isOpen }: ShapeNode): ObjectShape | undefined => fields && { fields, isOpen };

const joinObjectParts = (
  left: ShapeNode,
  right: ShapeNode,
): Pick<ShapeNode, "fields" | "isOpen" | "values"> => {
  const [one, other] = [toObject(left), toObject(right)];
  if (left.values !== undefined || right.values !== undefined) {
    const values = joinNodes(
      collapseFields(one?.fields ?? {}, left.values),
      collapseFields(other?.fields ?? {}, right.values),
    );
    return { values };
  }
  if (one === undefined || other === undefined) return one ?? other ?? {};
  const joined = joinObjects(one, other);
  return isWide(joined) ? { values: collapseFields(joined.fields) } : joined;
};

/** Joins one place of two shapes, in any order. */
export const joinNodes = (left: ShapeNode, right: ShapeNode): ShapeNode => {
  if (left === right) return left;
  if (left.isUnknown === true || right.isUnknown === true) return unknownShape;
  const scalars = joinScalars(left.scalars ?? [], right.scalars ?? []);
  const items =
    left.items === undefined || right.items === undefined
      ? (left.items ?? right.items)
      : joinNodes(left.items, right.items);
  return {
    scalars: scalars.length > 0 ? scalars : undefined,
    ...joinObjectParts(left, right),
    items,
  };
};

const listInner = ({ fields, values, items }: ShapeNode): readonly ShapeNode[] => [
  ...Object.values(fields ?? {}).map(({ type }) => type),
  ...(values === undefined ? [] : [values]),
  ...(items === undefined ? [] : [items]),
];

const countNodes = (node: ShapeNode): number =>
  listInner(node).reduce((sum, inner) => sum + countNodes(inner), 1);

const cutBelow = (node: ShapeNode, levels: number): ShapeNode => {
  const { fields, values, items } = node;
  if (levels <= 0 && listInner(node).length > 0) return unknownShape;
  return {
    ...node,
    fields:
      fields &&
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          { ...field, type: cutBelow(field.type, levels - 1) },
        ]),
      ),
    values: values && cutBelow(values, levels - 1),
    items: items && cutBelow(items, levels - 1),
  };
};

/** Cuts the deepest levels of a shape that has grown too large. */
export const boundNode = (node: ShapeNode): ShapeNode => {
  let bounded = node;
  for (let levels = maxDepth; countNodes(bounded) > maxNodes && levels > 0; levels -= 1)
    bounded = cutBelow(node, levels);
  return bounded;
};

/** What two processes or sessions learned. */
export const joinShapes = (left: Shape, right: Shape): Shape => ({
  answers: left.answers + right.answers,
  type: boundNode(joinNodes(left.type, right.type)),
});

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

/** Whether answers with exactly these fields are of this branch: it declares all of them and requires no other. */
const isOf = (branch: unknown, names: readonly string[], root: JsonSchema): boolean => {
  const resolved = resolveSchema(branch, root);
  if (!isSchemaObject(resolved)) return false;
  const declared = readProperties(resolved);
  return (
    names.every((name) => Object.hasOwn(declared, name)) &&
    listRequired(resolved).every((name) => names.includes(name))
  );
};

/** `failures`: the shape of answers that came with an error. Whatever fits them all is not a result. */
export const dropFailures = (schema: JsonSchema, failures: Shape): JsonSchema => {
  const fields = Object.keys(failures.type.fields ?? {});
  if (fields.length === 0 || !isSchemaObject(schema)) return schema;
  for (const union of ["anyOf", "oneOf"]) {
    const branches = readList(schema[union]);
    const remaining = branches.filter((branch) => !isOf(branch, fields, schema));
    if (remaining.length > 0 && remaining.length < branches.length) return { ...schema, [union]: remaining };
  }
  return schema;
};

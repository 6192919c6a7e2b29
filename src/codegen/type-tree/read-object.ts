// The object in a schema: its fields, and what other keys may hold.
import { hasDefault, isSchemaObject, readList, type SchemaObject } from "../../schema/index.js";
import { toUnion } from "./combine-nodes.js";
import { readDocumentation } from "./read-documentation.js";
import { fallBack, type Place, type ReadNode, stepInto } from "./reading.js";
import { type Field, type TypeNode, unknownNode } from "./type-node.js";

type ObjectPlace = Place & { readonly schema: SchemaObject };

/** Nothing nested: such a type can be written twice without a schema of a few lines growing without end. */
const isSimple = (node: TypeNode): boolean => {
  if (node.kind === "array") return isSimple(node.items);
  if (node.kind === "union") return node.members.every(isSimple);
  return node.kind !== "object" && node.kind !== "tuple" && node.kind !== "intersection";
};

const readFields = (place: ObjectPlace, readNode: ReadNode): readonly Field[] => {
  const { reading, schema } = place;
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const required = new Set(readList(schema.required).filter((name) => typeof name === "string"));
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const canBeLeftOut = reading.side === "arguments" && hasDefault(field);
    return {
      name,
      type: readNode(stepInto(place, field, "properties", name)),
      isRequired: required.has(name) && !canBeLeftOut,
      documentation: readDocumentation(field),
    };
  });
  const undeclared = [...required].filter((name) => !Object.hasOwn(properties, name));
  const added = undeclared.map((name): Field => {
    const at = stepInto(place, undefined, "required", name);
    return {
      name,
      type: fallBack(at, "required but not declared"),
      isRequired: true,
      documentation: { notes: [] },
    };
  });
  return [...fields, ...added];
};

const readRest = (place: ObjectPlace, readNode: ReadNode): TypeNode | undefined => {
  const { additionalProperties: others, patternProperties: patterns } = place.schema;
  const typed = isSchemaObject(patterns)
    ? Object.entries(patterns).map(([pattern, schema]) =>
        readNode(stepInto(place, schema, "patternProperties", pattern)),
      )
    : [];
  if (others === true || (isSchemaObject(others) && Object.keys(others).length === 0)) return unknownNode;
  if (isSchemaObject(others)) typed.push(readNode(stepInto(place, others, "additionalProperties")));
  return typed.length === 0 ? undefined : toUnion(typed);
};

/** An object's type. */
export const readObject = (place: ObjectPlace, readNode: ReadNode): TypeNode => {
  const fields = readFields(place, readNode);
  const rest = readRest(place, readNode);
  if (fields.length === 0) {
    // Without fields `{ "type": "object" }` means any object, except as the arguments of a tool that takes none.
    const takesNone =
      place.depth === 0 && place.reading.side === "arguments" && isSchemaObject(place.schema.properties);
    const isEmpty = place.schema.additionalProperties === false || takesNone;
    return {
      kind: "object",
      fields,
      ...(isEmpty && rest === undefined ? {} : { rest: rest ?? unknownNode }),
    };
  }
  if (rest === undefined) return { kind: "object", fields };
  if (rest.kind === "unknown" || (isSimple(rest) && fields.every(({ type }) => isSimple(type)))) {
    return { kind: "object", fields, rest };
  }
  const at = stepInto(place, undefined, "additionalProperties");
  return { kind: "object", fields, rest: fallBack(at, "other keys cannot be typed next to nested fields") };
};

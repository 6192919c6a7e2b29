// Leaves out of a declared result what a program gets as an exception: branches that the server also flags as errors.
import type { JsonSchema, Shape } from "../../contracts/index.js";
import { isSchemaObject, readList, resolveSchema } from "../../schema/index.js";

/** Whether answers with exactly these fields are of this branch: it declares all of them and requires no other. */
const isOf = (branch: unknown, fields: readonly string[], root: JsonSchema): boolean => {
  const resolved = resolveSchema(branch, root);
  if (!isSchemaObject(resolved) || !isSchemaObject(resolved.properties)) return false;
  const { properties } = resolved;
  return (
    fields.every((name) => Object.hasOwn(properties, name)) &&
    readList(resolved.required).every((name) => typeof name === "string" && fields.includes(name))
  );
};

/** `failures`: the shape of answers that came with an error. Whatever fits them all is not a result. */
export const dropFailures = (schema: JsonSchema, failures: Shape): JsonSchema => {
  const fields = Object.keys(failures.type.fields ?? {});
  if (fields.length === 0 || !isSchemaObject(schema)) return schema;
  for (const union of ["anyOf", "oneOf"]) {
    const branches = readList(schema[union]);
    const kept = branches.filter((branch) => !isOf(branch, fields, schema));
    if (kept.length > 0 && kept.length < branches.length) return { ...schema, [union]: kept };
  }
  return schema;
};

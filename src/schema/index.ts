// JSON Schema, read in one place: resolve references, list fields and types, describe, find what does not fit.
export { describeFields, describeSchema, quote, quoteTool, quoteValue } from "./describe-schema.js";
export { findProblems } from "./find-problems.js";
export type { Problem, ValuePath } from "./inspection.js";
export { nearestNames } from "./nearest-names.js";
export {
  isSchemaObject,
  listFields,
  readReference,
  resolveSchema,
  type SchemaField,
  type SchemaObject,
} from "./resolve-schema.js";

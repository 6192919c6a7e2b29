// JSON Schema, read in one place: resolve references, list fields and types, describe, find what does not fit.
export { describeAsType, describeFields, describeSchema, quote, quoteTool } from "./describe-schema.js";
export { findProblems } from "./find-problems.js";
export type { Problem, ValuePath } from "./find-value-problem.js";
export {
  allowsOthers,
  forbidsOthers,
  hasDefault,
  hasOpenObjects,
  isClosed,
  listFields,
  readItems,
  type SchemaField,
} from "./list-fields.js";
export { acceptsType, listOwnTypes, listTypes, readLiterals, typeKeywords, typeOf } from "./list-types.js";
export { nearestNames } from "./nearest-names.js";
export {
  isSchemaObject,
  listParts,
  listSegments,
  readList,
  readOwn,
  readReference,
  resolveSchema,
  type SchemaObject,
} from "./resolve-schema.js";

// JSON Schema, read in one place: resolve references, list fields and types, describe, find what does not fit.
export { describeAsType, describeFields, quote, quoteTool } from "./describe-schema.js";
export { findProblems } from "./find-problems.js";
export type { Problem, ValuePath } from "./find-value-problem.js";
export { mergeParts } from "./merge-parts.js";
export { countEdits, nearestNames } from "./nearest-names.js";
export { findHeaderMismatch, toParameterHeaders } from "./parameter-headers.js";
export {
  acceptsType,
  allowsOthers,
  forbidsOthers,
  hasDefault,
  hasOpenObjects,
  isClosed,
  isSchemaObject,
  listAlso,
  listFields,
  listOwnTypes,
  listParts,
  listRequired,
  listSegments,
  listTypes,
  listUnions,
  readField,
  readItems,
  readList,
  readLiterals,
  readOwn,
  readProperties,
  readReference,
  resolveSchema,
  type SchemaField,
  type SchemaObject,
  typeKeywords,
  typeOf,
} from "./read-schema.js";

// The description of a schema, and the facts of it that a type cannot say.
import { isSchemaObject } from "../../schema/index.js";
import type { Documentation } from "./type-node.js";

const longestValue = 120;
const noDocumentation: Documentation = { notes: [] };

const toText = (value: unknown): string | undefined => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Nested too deep to be worth showing.
  }
  return text === undefined || text.length > longestValue ? undefined : text;
};

const renderRange = (least: unknown, most: unknown): string | undefined => {
  const [hasLeast, hasMost] = [typeof least === "number", typeof most === "number"];
  if (hasLeast && least === most) return String(least);
  if (hasLeast && hasMost) return `${least} to ${most}`;
  if (hasLeast) return `at least ${least}`;
  return hasMost ? `at most ${most}` : undefined;
};

/** What is worth a comment above a field. */
export const readDocumentation = (schema: unknown): Documentation => {
  if (!isSchemaObject(schema)) return noDocumentation;
  const { description, format, pattern } = schema;
  const range = renderRange(schema.minimum, schema.maximum);
  const items = renderRange(schema.minItems, schema.maxItems);
  const fallback = Object.hasOwn(schema, "default") ? toText(schema.default) : undefined;
  const notes = [
    typeof format === "string" && format.length <= longestValue ? `Format: ${format}` : undefined,
    typeof pattern === "string" && pattern.length <= longestValue ? `Pattern: ${pattern}` : undefined,
    range === undefined ? undefined : `Range: ${range}`,
    items === undefined ? undefined : `Items: ${items}`,
    fallback === undefined ? undefined : `Default: ${fallback}`,
    schema.deprecated === true ? "Deprecated" : undefined,
  ].filter((note) => note !== undefined);
  return typeof description === "string" ? { description, notes } : { notes };
};

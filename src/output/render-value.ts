// Renders a value for a model: exact JSON, compact text without empty fields, or TOON.
import {
  type Json,
  type JsonObject,
  type OutputMode,
  readLargeInteger,
  toBigIntegers,
} from "../contracts/index.js";

/** Deeper values are not indented, because each level adds to every line below it. */
const maxIndented = 40;

const isDeeper = (value: Json, levels: number): boolean =>
  !isScalar(value) &&
  (levels === 0 || Object.values(value as JsonObject).some((item) => isDeeper(item, levels - 1)));

/** A text stays as it is in every mode. */
export const renderValue = async (value: Json, mode: OutputMode): Promise<string> => {
  if (typeof value === "string") return value;
  if (isDeeper(value, maxIndented)) return JSON.stringify(value);
  if (mode === "text") return renderCompact(dropEmpty(value) ?? value).join("\n");
  if (mode !== "toon") return JSON.stringify(value);
  const { encode } = await import("@toon-format/toon");
  return encode(toBigIntegers(value));
};

/** The value without empty fields; undefined if nothing is left. Items of lists stay: their positions may matter. */
const dropEmpty = (value: Json): Json | undefined => {
  if (value === null || value === "") return undefined;
  if (isScalar(value)) return value;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => dropEmpty(item) ?? item);
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const rest = dropEmpty(item);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
};

const isScalar = (value: Json): value is string | number | boolean | null =>
  typeof value !== "object" || value === null || readLargeInteger(value) !== undefined;
const isObject = (value: Json): value is JsonObject => !isScalar(value) && !Array.isArray(value);

/** Quotes a text that could be mistaken for something else. */
const renderScalar = (value: Json, isInRow = false): string => {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain =
    value !== "" &&
    value.trim() === value &&
    !/[\n\r\t"]/.test(value) &&
    !(isInRow && value.includes("|")) &&
    !/^(?:-?\d[\d.eE+-]*|true|false|null|[-[{].*)$/.test(value);
  return isPlain ? value : JSON.stringify(value);
};

const renderKey = (name: string): string => (/^[\w$ .-]+$/.test(name) ? name : JSON.stringify(name));

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** Objects with only scalar fields become a table with one line of names. */
const toTable = (rows: readonly Json[]): readonly string[] | undefined => {
  if (rows.length < 2 || !rows.every((row) => isObject(row) && Object.values(row).every(isScalar)))
    return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as JsonObject)))];
  const filled = rows.reduce<number>((sum, row) => sum + Object.keys(row as JsonObject).length, 0);
  // A mostly empty table is longer than the fields themselves.
  if (names.length === 0 || filled < (rows.length * names.length) / 2) return undefined;
  const lines = rows.map((row) =>
    names
      .map((name) => {
        const value = (row as JsonObject)[name];
        return value === undefined ? "" : renderScalar(value, true);
      })
      .join("|"),
  );
  return [names.map(renderKey).join("|"), ...lines];
};

const renderCompact = (value: Json): readonly string[] => {
  if (isScalar(value)) return [renderScalar(value)];
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return [JSON.stringify(value)];
    return toTable(value) ?? value.flatMap((item) => asItem(renderCompact(item)));
  }
  const fields = Object.entries(value as JsonObject);
  return fields.length === 0 ? ["{}"] : fields.flatMap(([name, item]) => renderField(name, item));
};

const asItem = (lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));

const renderField = (name: string, value: Json): readonly string[] => {
  const lines = renderCompact(value);
  const isOnOneLine = isScalar(value) || (Array.isArray(value) && value.every(isScalar));
  return isOnOneLine ? [`${renderKey(name)}: ${lines[0] ?? ""}`] : [`${renderKey(name)}:`, ...indent(lines)];
};

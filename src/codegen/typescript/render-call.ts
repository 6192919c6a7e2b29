// A call of a tool with given arguments, as a line of TypeScript.
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";
import { quoteText, renderName } from "./quote-text.js";

const renderValue = (value: Json): string => {
  if (typeof value === "string") return quoteText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const digits = readLargeInteger(value);
  if (digits !== undefined) return `${digits}n`;
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${renderName(name)}: ${renderValue(inner)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
};

interface CallOptions {
  /** What the tool is called by. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `await createIssue({ title: "Example" })`. */
export const renderCall = ({ name, arguments: given }: CallOptions): string =>
  `await ${name}(${Object.keys(given).length === 0 ? "" : renderValue(given)})`;

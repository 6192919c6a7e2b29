// A call of a tool with given arguments, as a line of Python.
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";
import { toParameterName } from "./python-names.js";
import { quoteText } from "./quote-text.js";

const renderValue = (value: Json): string => {
  if (typeof value === "string") return quoteText(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return JSON.stringify(value);
  const digits = readLargeInteger(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${quoteText(name)}: ${renderValue(inner)}`);
  return `{${fields.join(", ")}}`;
};

interface CallOptions {
  /** What the tool is called by. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `create_issue(title="Example")`; a dictionary where a field cannot be a keyword. */
export const renderPythonCall = ({ name, arguments: given }: CallOptions): string => {
  const fields = Object.entries(given).map(([field, value]) => [toParameterName(field), renderValue(value)]);
  if (fields.some(([field]) => field === undefined)) return `${name}(${renderValue(given)})`;
  return `${name}(${fields.map(([field, value]) => `${field}=${value}`).join(", ")})`;
};

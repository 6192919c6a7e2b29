// Arguments that a request repeats as HTTP headers (`x-mcp-header` of protocol 2026-07-28): which they are, and their text.
import type { JsonObject, JsonSchema } from "../contracts/index.js";
import { isSchemaObject, readOwn, readProperties } from "./read-schema.js";

interface ParameterHeader {
  readonly name: string;
  readonly path: readonly string[];
}

const annotation = "x-mcp-header";
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Deeper than any real schema; a hostile one must not overflow the stack. */
const maxDepth = 64;

const known = new WeakMap<object, readonly ParameterHeader[]>();

const findHeaders = (schema: unknown, path: readonly string[]): readonly ParameterHeader[] => {
  if (!isSchemaObject(schema) || path.length > maxDepth) return [];
  const name = schema[annotation];
  const own = typeof name === "string" && headerName.test(name) && path.length > 0 ? [{ name, path }] : [];
  const fields = Object.entries(readProperties(schema));
  return [...own, ...fields.flatMap(([key, field]) => findHeaders(field, [...path, key]))];
};

const listParameterHeaders = (schema: JsonSchema): readonly ParameterHeader[] => {
  if (typeof schema !== "object") return [];
  let headers = known.get(schema);
  if (headers === undefined) {
    headers = findHeaders(schema, []);
    known.set(schema, headers);
  }
  return headers;
};

const toText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? String(value)
    : undefined;
};

const readAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isSchemaObject(at) ? readOwn(at, key) : undefined), value);

const [sentinelStart, sentinelEnd] = ["=?base64?", "?="];
/** A text that a header can hold as it is. */
const isPlain = (text: string): boolean =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) &&
  !(text.startsWith(sentinelStart) && text.endsWith(sentinelEnd));

const encode = (text: string): string =>
  isPlain(text) ? text : `${sentinelStart}${Buffer.from(text).toString("base64")}${sentinelEnd}`;

/** The headers for a call with these arguments; undefined if the tool declares none. */
export const toParameterHeaders = (
  schema: JsonSchema,
  given: JsonObject,
): Readonly<Record<string, string>> | undefined => {
  const declared = listParameterHeaders(schema);
  if (declared.length === 0) return undefined;
  return Object.fromEntries(
    declared.flatMap(({ name, path }) => {
      const text = toText(readAt(given, path));
      return text === undefined ? [] : [[`mcp-param-${name}`, encode(text)]];
    }),
  );
};

const decode = (header: string): string | undefined => {
  if (!header.startsWith(sentinelStart) || !header.endsWith(sentinelEnd)) return header;
  const text = header.slice(sentinelStart.length, -sentinelEnd.length);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
};

const isSame = (value: unknown, text: string, header: string): boolean =>
  header === text ||
  (typeof value === "number" && /^-?\d+(?:\.\d+)?$/.test(header) && Number(header) === value);

/** Why the headers of a request do not fit its arguments; undefined if they do. */
export const findHeaderMismatch = (
  schema: JsonSchema,
  given: JsonObject,
  readHeader: (name: string) => string | undefined,
): { readonly header: string; readonly problem: string } | undefined => {
  for (const { name, path } of listParameterHeaders(schema)) {
    const value = readAt(given, path);
    const text = toText(value);
    if (text === undefined) continue;
    const header = `Mcp-Param-${name}`;
    const sent = readHeader(header.toLowerCase());
    const decoded = sent === undefined ? undefined : decode(sent);
    const what = `the body carries ${path.join(".")}=${JSON.stringify(value)}`;
    if (sent === undefined) return { header, problem: `${what} but the ${header} header is absent` };
    if (decoded === undefined)
      return { header, problem: `the ${header} header carries an invalid Base64 sentinel value` };
    if (!isSame(value, text, decoded))
      return { header, problem: `the ${header} header decodes to ${JSON.stringify(decoded)} but ${what}` };
  }
  return undefined;
};

// Finds what labels depend on: texts with tokens, ids of stored values, and the fields that a query reads.
import type { Json, JsonObject } from "../../contracts/index.js";
import type { Labels, SourceLabels } from "../../policy/index.js";

const maxBytes = 256 * 1024;

/** Texts that may have tokens. */
export const listTexts = (value: Json): readonly string[] => {
  const texts = new Set<string>();
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string" && next.includes("[")) texts.add(next);
    else if (typeof next === "object" && next !== null)
      for (const item of Object.values(next)) waiting.push(item);
  }
  return [...texts];
};

export const readArguments = (text: string): readonly Json[] => {
  try {
    const parsed: unknown = text.length > maxBytes ? [] : JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as Json[]) : [];
  } catch {
    return [];
  }
};

export const readId = (body: string): string => {
  const { id } = JSON.parse(body) as { readonly id?: unknown };
  return String(id);
};

/** Fields that a query enters or compares are read, although the answer does not name them. */
export const labelQuery = ({ fields }: SourceLabels, query: Json | undefined): Labels => {
  const { path = "", where = {} } =
    typeof query === "string" ? { path: query } : ((query ?? {}) as JsonObject);
  const names = `${JSON.stringify(path)} ${JSON.stringify(where)}`;
  return new Set(
    fields.flatMap(({ path: wanted, label }) => (names.includes(wanted.at(-1) ?? "") ? [label] : [])),
  );
};

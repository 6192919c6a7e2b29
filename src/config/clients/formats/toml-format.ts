// Edits server tables in TOML by their position in the text.
import { type AST, getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import type { ServersEdit, ServersFormat } from "../edit-servers.js";
import { applyEdits, endOfLineOf, lineStartOf, nextLineOf, type TextEdit } from "./text-edits.js";

type Part = AST.TOMLTable | AST.TOMLKeyValue;

interface Place {
  readonly path: readonly string[];
  readonly part: Part;
}

const keysOf = ({ keys }: AST.TOMLKey): readonly string[] =>
  keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));

/** Every table and key-value line, with its full path. */
const listPlaces = (text: string): readonly Place[] =>
  parseTOML(text).body[0].body.flatMap((part): readonly Place[] => {
    if (part.type === "TOMLKeyValue") return [{ path: keysOf(part.key), part }];
    const path = part.resolvedKey.map(String);
    const inner = part.body.map((line) => ({ path: [...path, ...keysOf(line.key)], part: line }));
    return [{ path, part }, ...inner];
  });

const bareKey = /^[A-Za-z0-9_-]+$/;

const renderKey = (key: string): string => (bareKey.test(key) ? key : renderValue(key));

const renderValue = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Date) return value.toISOString();
  const fields = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
};

const renderTable = (keys: readonly string[], name: string, value: unknown, eol: string): string => {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [
    `[${[...keys, name].map(renderKey).join(".")}]`,
    ...fields.map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`),
    "",
  ].join(eol);
};

/** Extends a range to whole lines, including the blank lines after a table. */
const removalOf = (text: string, { part }: Place): TextEdit => {
  const from = lineStartOf(text, part.range[0]);
  const end = nextLineOf(text, part.range[1]);
  const blank = part.type === "TOMLTable" ? (/^(?:[ \t]*\r?\n)+/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return { from, to: end + blank, text: "" };
};

const edit = (text: string, { keys, remove, set }: ServersEdit): string => {
  const replaced = new Set([...remove, ...set.map(([name]) => name)]);
  const depth = keys.length;
  const places = listPlaces(text);
  const isBelow = (path: readonly string[]): boolean => keys.every((key, index) => path[index] === key);
  if (
    places.some(({ path, part }) => part.type === "TOMLKeyValue" && path.length <= depth && isBelow(path))
  ) {
    throw new SyntaxError("its servers are written on one line, expected a table for each");
  }
  const removed = places.filter(
    ({ path }) => path.length > depth && isBelow(path) && replaced.has(path[depth] ?? ""),
  );
  const tables = removed.filter(({ part }) => part.type === "TOMLTable");
  const alone = removed.filter(
    ({ part }) =>
      !tables.some(
        ({ part: table }) =>
          table !== part && table.range[0] <= part.range[0] && part.range[1] <= table.range[1],
      ),
  );
  const eol = endOfLineOf(text);
  const put = set.map(([name, value]) => renderTable(keys, name, value, eol)).join(eol);
  const edits = alone.map((place) => removalOf(text, place));
  const [spot] = tables;
  if (set.length > 0 && spot !== undefined) {
    const at = lineStartOf(text, spot.part.range[0]);
    return applyEdits(
      text,
      edits.map((change) =>
        change.from === at ? { ...change, text: put + (change.to < text.length ? eol : "") } : change,
      ),
    );
  }
  const rest = applyEdits(text, edits);
  if (set.length === 0) return rest;
  const gap = rest.trim() === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
  return `${rest}${gap}${put}`;
};

export const tomlFormat: ServersFormat = {
  parse: (text) => getStaticTOMLValue(parseTOML(text)),
  edit,
};

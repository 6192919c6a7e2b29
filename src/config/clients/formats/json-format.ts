// Edits servers in JSON, with or without comments, by their position in the text.
import {
  applyEdits as applyJsonEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import type { ServersEdit, ServersFormat } from "../edit-servers.js";
import {
  applyEdits,
  endOfLineOf,
  indentBefore,
  indentUnitOf,
  lineStartOf,
  type TextEdit,
} from "./text-edits.js";

// Token kinds of jsonc-parser. Its own names are a const enum, which does not exist at run time.
const comma = 5;
const trivia: readonly number[] = [12, 13, 14, 15];

const toTree = (text: string): Node => {
  const mistakes: ParseError[] = [];
  const root = parseTree(text.trim() === "" ? "{}" : text, mistakes, { allowTrailingComma: true });
  if (root === undefined || mistakes.length > 0) throw new SyntaxError("it is not valid JSON");
  return root;
};

const toValue = (node: Node): unknown => {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[key.value as string, toValue(value)]],
    ),
  );
};

const keyOf = (property: Node): string => String(property.children?.[0]?.value);

const endOf = ({ offset, length }: Node): number => offset + length;

/** The position of the comma that follows, or `undefined`. */
const commaAfter = (text: string, position: number): number | undefined => {
  const scanner = createScanner(text);
  scanner.setPosition(position);
  let kind = Number(scanner.scan());
  while (trivia.includes(kind)) kind = Number(scanner.scan());
  return kind === comma ? scanner.getTokenOffset() : undefined;
};

/** The range of a property with its comma, its line and its trailing comment. Comments above it stay. */
const removalOf = (text: string, property: Node): TextEdit => {
  const separator = commaAfter(text, endOf(property));
  const end = separator === undefined ? endOf(property) : separator + 1;
  const tail = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?:\r?\n|$)/.exec(text.slice(end));
  const hasLine = indentBefore(text, property.offset) !== undefined;
  if (hasLine && tail !== null) {
    return { from: lineStartOf(text, property.offset), to: end + tail[0].length, text: "" };
  }
  if (hasLine)
    return { from: property.offset, to: end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0), text: "" };
  let from = property.offset;
  while (text[from - 1] === " " || text[from - 1] === "\t") from -= 1;
  return { from, to: end, text: "" };
};

/** Renders objects over several lines and lists on one; everything on one line if there is no `unit`. */
const renderValue = (value: unknown, unit: string | undefined, indent = ""): string => {
  if (unit === undefined || typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => renderValue(item, unit, indent)).join(", ")}]`;
  const inner = indent + unit;
  const lines = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${renderValue(field, unit, inner)}`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
};

const renderProperties = (set: ServersEdit["set"], text: string, indent: string | undefined): string => {
  const unit = indent === undefined ? undefined : indentUnitOf(text);
  const eol = endOfLineOf(text);
  const separator = indent === undefined ? ", " : `,${eol}${indent}`;
  return set
    .map(([name, value]) =>
      `${JSON.stringify(name)}: ${renderValue(value, unit)}`.replaceAll("\n", `${eol}${indent ?? ""}`),
    )
    .join(separator);
};

const edit = (text: string, { keys, remove, set }: ServersEdit): string => {
  const servers = findNodeAtLocation(toTree(text), [...keys]);
  const properties = servers?.type === "object" ? (servers.children ?? []) : [];
  const [first] = properties;
  if (first === undefined) return rewrite(text, { keys, remove, set });
  const present = new Set(properties.map(keyOf));
  const removed = properties.filter((property) => remove.includes(keyOf(property)));
  const changed = set.filter(([name]) => present.has(name) && !remove.includes(name));
  const added = set.filter((pair) => !changed.includes(pair));
  const edits: TextEdit[] = changed.flatMap(([name, value]) => {
    const property = properties.find((candidate) => keyOf(candidate) === name);
    if (property === undefined) return [];
    const put = renderProperties([[name, value]], text, indentBefore(text, property.offset));
    return [{ from: property.offset, to: endOf(property), text: put }];
  });
  const [spot] = added.length > 0 ? removed : [];
  if (spot !== undefined) {
    const put = renderProperties(added, text, indentBefore(text, spot.offset));
    edits.push({ from: spot.offset, to: endOf(spot), text: put });
  } else if (added.length > 0) {
    const indent = indentBefore(text, first.offset);
    const separator = indent === undefined ? ", " : `,${endOfLineOf(text)}${indent}`;
    const put = renderProperties(added, text, indent) + separator;
    edits.push({ from: first.offset, to: first.offset, text: put });
  }
  const deleted = removed.filter((property) => property !== spot);
  edits.push(...deleted.map((property) => removalOf(text, property)));
  const last = properties.at(-1);
  const lastRemaining = properties.findLast((property) => !deleted.includes(property));
  // Drop the comma after the new last property if the old last one had none.
  if (
    last !== undefined &&
    lastRemaining !== undefined &&
    deleted.includes(last) &&
    commaAfter(text, endOf(last)) === undefined
  ) {
    const separator = commaAfter(text, endOf(lastRemaining));
    if (separator !== undefined) edits.push({ from: separator, to: separator + 1, text: "" });
  }
  return applyEdits(text, edits);
};

const rewrite = (text: string, { keys, remove, set }: ServersEdit): string => {
  const unit = indentUnitOf(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith("\t"),
    tabSize: unit.startsWith("\t") ? 4 : unit.length,
    eol: endOfLineOf(text),
  };
  const change = (current: string, name: string, value: unknown): string =>
    applyJsonEdits(current, modify(current, [...keys, name], value, { formattingOptions }));
  const start = text.trim() === "" ? `{}${endOfLineOf(text)}` : text;
  const servers = findNodeAtLocation(toTree(start), [...keys]);
  const present = new Set((servers?.children ?? []).map(keyOf));
  const deleted = remove.filter((name) => present.has(name));
  const without = deleted.reduce((current, name) => change(current, name, undefined), start);
  return set.reduce((current, [name, value]) => change(current, name, value), without);
};

export const jsonFormat: ServersFormat = { parse: (text) => toValue(toTree(text)), edit, rewrite };

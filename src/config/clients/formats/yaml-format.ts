// Edits servers in YAML: block mappings by their lines, other forms by rewriting the document with its comments.
import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { ServersEdit, ServersFormat } from "../edit-servers.js";
import { applyEdits, endOfLineOf, lineStartOf, nextLineOf, type TextEdit } from "./text-edits.js";

interface Block {
  readonly name: string | undefined;
  readonly from: number;
  readonly to: number;
}

const open = (text: string): Document => {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new SyntaxError("it is not valid YAML");
  return document;
};

const rangeOf = (node: unknown): readonly [number, number] | undefined => {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : undefined;
};

const nameOfItem = (item: unknown): string | undefined => {
  const name = isMap(item) ? item.get("name") : undefined;
  return typeof name === "string" ? name : undefined;
};

/** The lines of each server. */
const listBlocks = (text: string, servers: YAMLMap | YAMLSeq): readonly Block[] =>
  servers.items.map((item) => {
    const start = rangeOf(isPair(item) ? item.key : item)?.[0];
    const end = rangeOf(isPair(item) ? item.value : item)?.[1] ?? start;
    if (start === undefined || end === undefined) throw new SyntaxError("a server has no place");
    const from = lineStartOf(text, start);
    // A block ends at the start of the next line; an inline value ends before that.
    const to = end > 0 && text[end - 1] === "\n" ? end : nextLineOf(text, end);
    const name = isPair(item) ? String(isScalar(item.key) ? item.key.value : item.key) : nameOfItem(item);
    return { name, from, to };
  });

const renderServers = (set: ServersEdit["set"], isList: boolean, indent: string, eol: string): string =>
  set
    .map(([name, value]) => stringify(isList ? [value] : { [name]: value }, { lineWidth: 0 }))
    .join("")
    .replace(/^(?=.)/gm, indent)
    .replaceAll("\n", eol);

const edit = (text: string, change: ServersEdit): string => {
  const servers = open(text).getIn([...change.keys], true);
  if (!(isMap(servers) || isSeq(servers)) || servers.flow === true || servers.items.length === 0) {
    return rewrite(text, change);
  }
  const blocks = listBlocks(text, servers);
  const replaced = new Set([...change.remove, ...change.set.map(([name]) => name)]);
  const removed = blocks.filter(({ name }) => name !== undefined && replaced.has(name));
  const spot = removed[0] ?? blocks[0];
  const edits: TextEdit[] = removed.map(({ from, to }) => ({ from, to, text: "" }));
  if (change.set.length > 0 && spot !== undefined) {
    const indent = /^[ \t]*/.exec(text.slice(spot.from))?.[0] ?? "";
    const eol = endOfLineOf(text);
    const isAtEnd = spot.to === text.length && !text.endsWith("\n");
    const put = renderServers(change.set, isSeq(servers), indent, eol);
    const at = edits.findIndex(({ from }) => from === spot.from);
    if (at >= 0) edits[at] = { from: spot.from, to: spot.to, text: isAtEnd ? put.trimEnd() : put };
    else edits.push({ from: spot.from, to: spot.from, text: put });
  }
  return applyEdits(text, edits);
};

const rewrite = (text: string, { keys, isList = false, remove, set }: ServersEdit): string => {
  const document = open(text);
  const path = [...keys];
  const replaced = new Set([...remove, ...set.map(([name]) => name)]);
  const servers = document.getIn(path, true);
  if (isMap(servers)) for (const name of replaced) servers.delete(name);
  if (isSeq(servers)) servers.items = servers.items.filter((item) => !replaced.has(nameOfItem(item) ?? ""));
  const isThere = isList ? isSeq(servers) : isMap(servers);
  if (!isThere) document.setIn(path, document.createNode(isList ? [] : {}));
  for (const [name, value] of set) {
    if (isList) document.addIn(path, document.createNode(value));
    else document.setIn([...path, name], document.createNode(value));
  }
  const filled = document.getIn(path, true);
  if ((isMap(filled) || isSeq(filled)) && !isThere) filled.flow = false;
  return document.toString({ lineWidth: 0 }).replaceAll("\n", endOfLineOf(text));
};

export const yamlFormat: ServersFormat = { parse: (text) => open(text).toJS() ?? {}, edit, rewrite };

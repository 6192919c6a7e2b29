// Notes for the next program on answers that were only one page of a longer list.
import type { Language, Tool, ToolResult } from "../../contracts/index.js";
import { listFields } from "../../schema/index.js";
import type { Host } from "../host/host.js";
import { nameInProgram } from "./to-search-hit.js";

export interface PageNotes {
  readonly observe: (tool: Tool, result: ToolResult) => void;
  /** One line for each tool whose last answer was not the last page. */
  readonly list: (host: Host) => readonly string[];
}

const maxTools = 3;
/** Characters at both ends of a text. Hints are there, not among the rows. */
const maxRead = 1000;

const nextField =
  /"(next_?cursor|next_?page_?token|next_?token|next_?page|continuation_?token)"\s*:\s*(?:"[^"]|[1-9])/i;
const moreField = /"(has_?more|has_?next_?page|has_?next|is_?truncated)"\s*:\s*true/i;
const range = /\b(\d[\d,]{0,14}) ?(?:-|–|—|to) ?(\d[\d,]{0,14}) of (\d[\d,]{0,14})\b/;

const pageParameter = /cursor|token|page|offset|skip|start|after|marker/i;

const toNumber = (text: string | undefined): number => Number((text ?? "").replaceAll(",", ""));

/** How a text says that there is more: the name of a field, or `1–571 of 1,000`; undefined if it does not. */
const findHint = (text: string): string | undefined => {
  const field = (nextField.exec(text) ?? moreField.exec(text))?.[1];
  if (field !== undefined) return field;
  const [whole, first, last, total] = range.exec(text) ?? [];
  const isPart = toNumber(first) <= toNumber(last) && toNumber(last) < toNumber(total);
  return isPart ? whole : undefined;
};

const readEnds = (text: string): string =>
  text.length > 2 * maxRead ? `${text.slice(0, maxRead)}\n${text.slice(-maxRead)}` : text;

/** The scalars of an object and of the objects in it, as JSON. */
const readScalars = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const parts = Object.entries(value)
    .slice(0, 100)
    .map(([name, held]) => {
      if (typeof held === "object") return depth === 0 ? readScalars(held, 1) : "";
      const shown = typeof held === "string" ? held.slice(0, 200) : held;
      return `${JSON.stringify(name)}:${JSON.stringify(shown) ?? "null"}`;
    });
  return parts.filter((part) => part !== "").join(",");
};

const readHint = ({ structuredContent, content = [], large }: ToolResult): string | undefined => {
  if (large !== undefined) return findHint(large.head.slice(0, maxRead));
  if (structuredContent !== undefined && structuredContent !== null)
    return findHint(readScalars(structuredContent));
  const texts = content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  const [first = "", last = first] = [texts.at(0), texts.at(-1)];
  return findHint(readEnds(first)) ?? (last === first ? undefined : findHint(readEnds(last)));
};

/** Longer texts are not parsed. */
const maxParsed = 64 * 1024;

const totalName = /^total(?:_?(?:count|results|items|hits|records|rows|size))?$/i;

const readObject = ({ structuredContent, content = [], large }: ToolResult): object | undefined => {
  if (structuredContent !== undefined) return structuredContent ?? undefined;
  const text = content.length === 1 && large === undefined ? content[0]?.text : undefined;
  if (text === undefined || text.length > maxParsed || !text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
};

/** The only list of an answer, if the answer also has the total number of its items. */
const readTotal = (result: ToolResult): { readonly items: number; readonly total: number } | undefined => {
  const fields = Object.entries(readObject(result) ?? {});
  const total: unknown = fields.find(([name]) => totalName.test(name))?.[1];
  const [list, ...others] = fields.map(([, value]) => value).filter((value) => Array.isArray(value));
  return typeof total === "number" && list !== undefined && list.length > 0 && others.length === 0
    ? { items: list.length, total }
    : undefined;
};

export const openPageNotes = (language: Language): PageNotes => {
  const open = new Map<Tool, string>();
  /** The items of a tool's answers so far: a program may have read all pages itself. */
  const read = new Map<Tool, number>();
  const countPages = (tool: Tool, result: ToolResult): string | undefined => {
    const found = readTotal(result);
    if (found === undefined) return undefined;
    const items = (read.get(tool) ?? 0) + found.items;
    read.set(tool, items);
    return items < found.total ? `${found.items} of ${found.total}` : undefined;
  };
  return {
    observe: (tool, result) => {
      const hint = result.isError === true ? undefined : (readHint(result) ?? countPages(tool, result));
      if (hint === undefined) open.delete(tool);
      else open.set(tool, hint);
    },
    list: (host) =>
      [...open].slice(0, maxTools).map(([tool, hint]) => {
        const name = nameInProgram(host, language, tool);
        const loop =
          language === "python"
            ? `for item in paginate(${name}, {...})`
            : `for await (const item of paginate(${name}, { … }))`;
        const more = listFields(tool.inputSchema).some((parameter) => pageParameter.test(parameter.name));
        return `The last answer of ${name} was one page (${hint}).${more ? ` All items: ${loop}` : ""}`;
      }),
  };
};

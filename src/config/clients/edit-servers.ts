// Reads and edits the servers in a client's file. An edit that would change anything else is refused.
import { isDeepStrictEqual } from "node:util";
import { CoordinatorError } from "../../contracts/index.js";
import type { FileFormat } from "./client.js";

export interface ServersEdit {
  /** The path of keys to the servers. */
  readonly keys: readonly string[];
  /** The servers are a list whose items have a `name`. */
  readonly isList?: boolean | undefined;
  readonly remove: readonly string[];
  readonly set: readonly (readonly [name: string, value: unknown])[];
}

/** A file format: parses a text and edits only its servers. */
export interface ServersFormat {
  readonly parse: (text: string) => unknown;
  /** Edits the text in place and keeps the rest, including comments. Throws for a form that it does not know. */
  readonly edit: (text: string, edit: ServersEdit) => string;
  /** A fallback for forms that `edit` does not know. */
  readonly rewrite?: ((text: string, edit: ServersEdit) => string) | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

const nameOf = (item: unknown): string | undefined =>
  isFields(item) && typeof item.name === "string" ? item.name : undefined;

/** Returns the value at a path, using own keys only. */
export const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => (isFields(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);

/** Lists the servers at a place by name. */
export const listServers = (
  value: unknown,
  { keys, isList = false }: Pick<ServersEdit, "keys" | "isList">,
): readonly (readonly [string, unknown])[] => {
  const servers = valueAt(value, keys);
  if (!isList) return isFields(servers) ? Object.entries(servers) : [];
  return (Array.isArray(servers) ? servers : []).flatMap((item) => {
    const name = nameOf(item);
    return name === undefined ? [] : [[name, item] as const];
  });
};

const replaceAt = (value: unknown, keys: readonly string[], last: unknown): unknown => {
  const [key, ...rest] = keys;
  if (key === undefined) return last;
  const fields = isFields(value) ? value : {};
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return Object.fromEntries([
    ...Object.entries(fields).filter(([name]) => name !== key),
    [key, replaceAt(inner, rest, last)],
  ]);
};

/** The document with its servers by name, so that the order of a list does not matter. */
const toComparable = (value: unknown, edit: ServersEdit): unknown => {
  const servers = valueAt(value, edit.keys);
  const nameless =
    edit.isList === true && Array.isArray(servers)
      ? servers.filter((item) => nameOf(item) === undefined)
      : [];
  return [replaceAt(value ?? {}, edit.keys, Object.fromEntries(listServers(value, edit))), nameless];
};

/** Whether the edit was applied and nothing else was changed. */
const isEditApplied = (before: unknown, after: unknown, edit: ServersEdit): boolean => {
  const set = new Map(edit.set);
  const unchanged = listServers(before, edit).filter(
    ([name]) => !edit.remove.includes(name) && !set.has(name),
  );
  const [rest, nameless] = toComparable(before, edit) as [unknown, unknown];
  const wanted = replaceAt(rest, edit.keys, Object.fromEntries([...unchanged, ...set]));
  return isDeepStrictEqual([wanted, nameless], toComparable(after, edit));
};

const formats: Readonly<Record<FileFormat, () => Promise<ServersFormat>>> = {
  json: async () => (await import("./formats/json-format.js")).jsonFormat,
  toml: async () => (await import("./formats/toml-format.js")).tomlFormat,
  yaml: async () => (await import("./formats/yaml-format.js")).yamlFormat,
};

const byteOrderMark = "\ufeff";

const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

const refuse = (what: string, path: string, state: string, cause?: unknown): CoordinatorError =>
  new CoordinatorError("CLIENT_FILE_UNREADABLE", `Cannot ${what} "${path}": ${state}`, {
    details: { source: path },
    cause,
  });

/** Parses a file. `path` names it in messages. */
export const parseClientFile = async (text: string, format: FileFormat, path: string): Promise<unknown> => {
  try {
    return (await formats[format]()).parse(withoutMark(text));
  } catch (cause) {
    throw refuse("read", path, `it is not valid ${format.toUpperCase()}`, cause);
  }
};

/** Returns the text with its servers changed. Everything else stays, including comments and white space. */
export const editServers = async (
  text: string,
  edit: ServersEdit,
  { format, path }: { readonly format: FileFormat; readonly path: string },
): Promise<string> => {
  const { parse, edit: change, rewrite } = await formats[format]();
  const plain = withoutMark(text);
  const before = await parseClientFile(plain, format, path);
  let cause: unknown;
  for (const attempt of [change, ...(rewrite === undefined ? [] : [rewrite])]) {
    try {
      const after = attempt(plain, edit);
      if (isEditApplied(before, parse(after), edit)) return text === plain ? after : byteOrderMark + after;
    } catch (thrown) {
      cause = thrown;
    }
  }
  const state = cause instanceof SyntaxError ? cause.message : "its servers are written in an unknown form";
  throw refuse("change", path, `${state}; nothing was written`, cause);
};

// An edit of a file's servers, independent of its format, and the check of its result.
import { isDeepStrictEqual } from "node:util";

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
export const isEditApplied = (before: unknown, after: unknown, edit: ServersEdit): boolean => {
  const set = new Map(edit.set);
  const unchanged = listServers(before, edit).filter(
    ([name]) => !edit.remove.includes(name) && !set.has(name),
  );
  const [rest, nameless] = toComparable(before, edit) as [unknown, unknown];
  const wanted = replaceAt(rest, edit.keys, Object.fromEntries([...unchanged, ...set]));
  return isDeepStrictEqual([wanted, nameless], toComparable(after, edit));
};

// Reads and edits the servers in a client's file, refuses an edit that would change anything else, and renders or undoes a change.
import { isDeepStrictEqual } from "node:util";
import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY, reversePatch, structuredPatch } from "diff";
import { CoordinatorError, isFields } from "../../contracts/index.js";
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

export interface FileChange {
  readonly path: string;
  /** `undefined`: the file is new. */
  readonly before: string | undefined;
  /** `undefined`: the file is removed. */
  readonly after: string | undefined;
}

const mask = "••••••";

/** Longer lines are cut before matching, because the expressions below are not linear. */
const maxLineLength = 1000;

const secretName =
  "[\\w.-]{0,80}(?:token|key|secret|passw(?:or)?d|passphrase|auth|credential|cookie|session|bearer)[\\w.-]{0,80}";
// The end of the line also ends a value, because the line may have been cut.
const quoted = `"(?:[^"\\\\]|\\\\.)*(?:"|$)`;
// bounded: lines have at most maxLineLength characters
const assigned = new RegExp(
  `(["']?${secretName}["']?\\s*[:=]\\s*)(${quoted}|'[^']*(?:'|$)|[^\\s,{}\\[\\]#"'][^\\s,}\\]#]*)`,
  "gi",
);
// bounded: lines have at most maxLineLength characters
const argument = new RegExp(`("--?${secretName}"\\s*,\\s*)(${quoted})`, "gi");
// bounded: lines have at most maxLineLength characters
const inlined = new RegExp(`(--?${secretName}=)([^"'\\s,]+)`, "gi");

/** Fields whose value is the name of a variable. */
const namesVariable = /env_?var/i;

const isReference = (text: string): boolean =>
  /^["']?(?:Bearer )?(?:\$\{[^}]*\}|\$\w+|\{env:\w+\})["']?$/.test(text);

const masked = (text: string): string => {
  const quote = /^["']/.exec(text)?.[0] ?? "";
  return isReference(text) || /^(?:true|false|null|\d{1,3}|\{|\[|""|'')$/.test(text)
    ? text
    : `${quote}${mask}${quote}`;
};

const cutLine = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;

/** Hides the given values everywhere, and every value whose name looks like a secret. */
export const hideSecrets = (line: string, secrets: readonly string[]): string =>
  cutLine(secrets.reduce((text, secret) => text.replaceAll(secret, mask), line))
    .replace(
      assigned,
      (_, name: string, value: string) => name + (namesVariable.test(name) ? value : masked(value)),
    )
    .replace(argument, (_, name: string, value: string) => name + masked(value))
    .replace(inlined, (_, name: string, value: string) => name + masked(value));

/** The values to hide: literals of four characters or more, plain and JSON-escaped. */
export const listSecrets = (
  maps: readonly (Readonly<Record<string, string>> | undefined)[],
): readonly string[] => {
  const values = maps
    .flatMap((map) => Object.values(map ?? {}))
    .filter((value) => value.length >= 4 && !isReference(value) && !/^(?:true|false|\d+)$/.test(value));
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
};

/** Renders the diff of one file; empty if it does not change. */
export const renderChange = ({ path, before, after }: FileChange, secrets: readonly string[]): string => {
  if (before === after) return "";
  const [from, to] = [before === undefined ? "/dev/null" : path, after === undefined ? "/dev/null" : path];
  const plain = (text: string | undefined): string => (text ?? "").replaceAll("\r\n", "\n");
  return createTwoFilesPatch(from, to, plain(before), plain(after), undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
    .split("\n")
    .map((line) => hideSecrets(line, secrets))
    .join("\n")
    .trimEnd();
};

/** Reverts the change from `before` to `after` in `current`; `undefined` if the lines around it have changed. */
export const undoChange = (before: string, after: string, current: string): string | undefined => {
  const patch = reversePatch(
    structuredPatch("file", "file", before, after, undefined, undefined, { context: 1 }),
  );
  const undone = applyPatch(current, patch, { autoConvertLineEndings: false });
  return undone === false ? undefined : undone;
};

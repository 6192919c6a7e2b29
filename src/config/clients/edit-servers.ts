// Reads and edits the servers in a client's file. An edit that would change anything else is refused.
import { CoordinatorError } from "../../contracts/index.js";
import type { FileFormat } from "./client.js";
import { isEditApplied, type ServersEdit, type ServersFormat } from "./formats/servers-edit.js";

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

// Names and server text in Python: functions in snake_case, packages, keyword arguments, literals and comments that cannot end early.
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import type { Documentation } from "../type-tree/type-node.js";
import { toPlainLines, trimLines } from "../typescript/print-type.js";

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const keywords = toSet(`
  False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`);

/** Names that a server's module uses itself. */
const moduleNames = toSet("_call list_tools overload cast bool float int object str");

/** Reserved on Windows, whatever the extension. */
export const deviceNames = /^(?:aux|con|nul|prn|com\d|lpt\d)$/i;

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const maxName = 100;

/** Only characters that every Python since 3.9 allows in names. JavaScript allows more. */
const toPythonText = (text: string): string =>
  text.normalize("NFKC").replace(/[^\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}_]|[\u{10000}-\u{10ffff}]/gu, "_");

const toStarted = (text: string): string => (/^[\p{L}\p{Nl}_]/u.test(text) ? text : `_${text}`);

/** `createIssue` → `create_issue`, `listHTTPRoutes` → `list_http_routes`. */
const toSnakeCase = (name: string): string =>
  toStarted(
    toPythonText(name)
      .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1_$2")
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
      .toLowerCase()
      // Lower case can add combining marks, e.g. for a dotted capital I.
      .normalize("NFKC")
      .replace(/__+/g, "_")
      .replace(/(?<=.)_$/, "")
      .slice(0, maxName),
  );

const toSafeName = (name: string): string =>
  keywords.has(name) || moduleNames.has(name) || deviceNames.test(name) ? `${name}_` : name;

/** A name for a type. Keeps the case of its first letter. */
export const toTypeName = (text: string): string => toStarted(toPythonText(text));

/** Taken names in lower case, each with the last number that was appended to it. */
type TakenNames = Map<string, number>;

/** Claims each name once, ignoring case, because names become file names too. */
const claimName = (taken: TakenNames, wanted: string): string => {
  const base = wanted.toLowerCase();
  let name = wanted;
  let number = taken.get(base) ?? 1;
  while (taken.has(name.toLowerCase())) {
    number += 1;
    name = `${wanted}_${number}`;
  }
  taken.set(name.toLowerCase(), 1);
  if (name !== wanted) taken.set(base, number);
  return name;
};

/** Names the functions of a server. A tool whose name is a valid function name keeps it. */
export const assignFunctionNames = (catalog: ServerCatalog): ReadonlyMap<Tool, string> => {
  const known = knownFunctionNames.get(catalog);
  if (known !== undefined) return known;
  const names = assignAll(catalog);
  knownFunctionNames.set(catalog, names);
  return names;
};

/** Every search hit asks for them, and a catalog never changes. */
const knownFunctionNames = new WeakMap<ServerCatalog, ReadonlyMap<Tool, string>>();

const assignAll = ({ tools, find }: ServerCatalog): ReadonlyMap<Tool, string> => {
  const taken: TakenNames = new Map();
  const isOwn = ({ name }: Tool): boolean => toSafeName(toSnakeCase(name)) === name;
  const own = tools.filter(isOwn).map((tool): [Tool, string] => [tool, claimName(taken, tool.name)]);
  const claimOther = (tool: Tool): string => {
    const wanted = toSafeName(toSnakeCase(tool.functionName));
    // Prefer a name that finds the same tool in the catalog, for programs written without this library.
    const leading = [wanted, tool.functionName].find(
      (name) =>
        !taken.has(name.toLowerCase()) && toSafeName(toPythonText(name)) === name && find(name) === tool,
    );
    return claimName(taken, leading ?? wanted);
  };
  const others = tools.filter((tool) => !isOwn(tool)).map((tool): [Tool, string] => [tool, claimOther(tool)]);
  const names = new Map([...own, ...others]);
  return new Map(tools.map((tool) => [tool, names.get(tool) ?? tool.functionName]));
};

/** Configured name → package. Needs no tools. */
export const toPackageNames = (identifiers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const taken: TakenNames = new Map();
  // Sorted, so that the order of the configuration changes no name.
  const servers = [...identifiers].sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(
    servers.map(([server, identifier]) => [
      server,
      claimName(taken, toSafeName(toStarted(toPythonText(identifier)))),
    ]),
  );
};

/**
 * Alias → configured name, for aliases that are no server's own name: `my-server`, which is `myServer`, is also
 * `my_server`, and `mcp_my_server` as in programs for container bridges.
 */
export const toPythonAliases = (identifiers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const own = new Set(identifiers.values());
  const aliases = new Map<string, string>();
  const add = (name: string, server: string): void => {
    if (plainName.test(name) && !own.has(name) && !aliases.has(name)) aliases.set(name, server);
  };
  // Names spelt like this in the configuration come first.
  const plain = [...identifiers.keys()].filter((server) => toSafeName(server) === server);
  for (const server of plain) add(server, server);
  for (const server of plain) add(`mcp_${server}`, server);
  for (const [server, identifier] of identifiers) {
    const written = toSafeName(toStarted(toPythonText(server.replace(/[^\p{L}\p{N}_]+/gu, "_"))));
    const spelt = [written, toSafeName(toSnakeCase(identifier))];
    // A single word in another case could be a Python built-in.
    const globals = spelt.filter((name) => name === server || name.includes("_"));
    for (const name of [...globals, ...spelt.map((one) => `mcp_${one}`)]) add(name, server);
  }
  return aliases;
};

/** A field as a keyword argument: `from` → `from_`; undefined if only a dictionary can name it. */
export const toParameterName = (field: string): string | undefined => {
  if (!plainName.test(field) || field.startsWith("__")) return undefined;
  // The guest reads `from_` as `from`.
  if (field.endsWith("_") && keywords.has(field.slice(0, -1))) return undefined;
  return keywords.has(field) ? `${field}_` : field;
};

/** Whether a field can be declared in a class body. */
export const isClassField = (field: string): boolean =>
  plainName.test(field) && !field.startsWith("__") && !keywords.has(field);

/** Whether a name can be bound in a module. */
export const isModuleName = (name: string): boolean =>
  plainName.test(name) && !name.startsWith("__") && !keywords.has(name) && !moduleNames.has(name);

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const toEscape = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
};

/** The exact text as a string literal. JSON's escapes are valid in Python. */
export const quoteText = (text: string): string => JSON.stringify(text).replace(invisible, toEscape);

interface TextOptions {
  readonly documentation: Documentation;
  readonly indent: string;
  readonly maxLength: number;
}

const toLines = ({ documentation, maxLength }: TextOptions): readonly string[] => {
  const description = trimLines(toPlainLines(documentation.description ?? "", maxLength));
  const notes = documentation.notes.map((note) => toPlainLines(note, maxLength).join(" "));
  return notes.length > 0 ? [...description, `${notes.join(". ")}.`] : description;
};

/** Comment lines. `#:` documents attributes, and no tool reads directives such as `# type: ignore` there. */
export const renderComment = (options: TextOptions): string =>
  toLines(options)
    .map((line) => `${`${options.indent}#: ${line}`.trimEnd()}\n`)
    .join("");

/** Escapes quotes that could join those around them. */
const toDocstringLine = (line: string): string => {
  const text = line.replaceAll("\\", "\\\\");
  return /""|^\s*"|"\s*$/.test(text) ? text.replaceAll('"', '\\"') : text;
};

/** A docstring with its line end; empty if there is nothing to say. */
export const renderDocstring = (options: TextOptions): string => {
  const { indent } = options;
  const lines = toLines(options).map(toDocstringLine);
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}"""${only.trim()}"""\n`;
  const body = lines.map((line) => `${indent}${line}`.trimEnd()).join("\n");
  return `${indent}"""\n${body}\n${indent}"""\n`;
};

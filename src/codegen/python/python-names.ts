// Names that Python accepts: functions in snake_case, servers as packages, and which fields can be keyword arguments.
import type { ServerCatalog, Tool } from "../../contracts/index.js";

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const keywords = toSet(`
  False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`);

/** A server's module uses them already. */
const moduleNames = toSet("_call list_tools overload cast bool float int object str");

/** Windows keeps these for itself, whatever the extension. */
const deviceNames = /^(?:aux|con|nul|prn|com\d|lpt\d)$/i;

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const longestName = 100;

/** What every Python since 3.9 takes as part of a name; JavaScript's own list is longer. */
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
      // Lower case can bring marks that stand alone, e.g. of a dotted capital I.
      .normalize("NFKC")
      .replace(/__+/g, "_")
      .replace(/(?<=.)_$/, "")
      .slice(0, longestName),
  );

const toSafeName = (name: string): string =>
  keywords.has(name) || moduleNames.has(name) || deviceNames.test(name) ? `${name}_` : name;

/** A name for a type; its first letter stays as it is. */
export const toTypeName = (text: string): string => toStarted(toPythonText(text));

/** Names that are given away, in lower case, each with the last number that was put behind it. */
type TakenNames = Map<string, number>;

/** Every name once, ignoring case: they become file names too. */
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

/** The functions of a server. A tool that is called like a function of Python's keeps its name. */
export const assignFunctionNames = (catalog: ServerCatalog): ReadonlyMap<Tool, string> => {
  const known = knownFunctionNames.get(catalog);
  if (known !== undefined) return known;
  const names = assignAll(catalog);
  knownFunctionNames.set(catalog, names);
  return names;
};

/** Every hit of a search asks, and a catalog is never changed. */
const knownFunctionNames = new WeakMap<ServerCatalog, ReadonlyMap<Tool, string>>();

const assignAll = ({ tools, find }: ServerCatalog): ReadonlyMap<Tool, string> => {
  const taken: TakenNames = new Map();
  const isOwn = ({ name }: Tool): boolean => toSafeName(toSnakeCase(name)) === name;
  const own = tools.filter(isOwn).map((tool): [Tool, string] => [tool, claimName(taken, tool.name)]);
  const claimOther = (tool: Tool): string => {
    const wanted = toSafeName(toSnakeCase(tool.functionName));
    // Programs may use a name without this library at hand: it should lead to the same tool then.
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

/** The packages of servers: their identifiers, where Python takes them. */
export const assignPackageNames = <Named extends Pick<ServerCatalog, "identifier">>(
  servers: readonly Named[],
): ReadonlyMap<Named, string> => {
  const taken: TakenNames = new Map();
  return new Map(
    servers.map((server) => [
      server,
      claimName(taken, toSafeName(toStarted(toPythonText(server.identifier)))),
    ]),
  );
};

/** Configured name → package, for servers whose tools need not be known. */
export const toPackageNames = (identifiers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const servers = [...identifiers]
    .map(([server, identifier]) => ({ server, identifier }))
    // In the order of the tree.
    .sort((one, other) => (one.server < other.server ? -1 : 1));
  return new Map([...assignPackageNames(servers)].map(([{ server }, name]) => [server, name]));
};

const knownAliases = new WeakMap<
  ReadonlyMap<string, string>,
  { readonly size: number; readonly aliases: ReadonlyMap<string, string> }
>();

/**
 * Other names that lead to servers in Python, where no server has them already: `my-server`, which is `myServer`,
 * as `my_server`, and `mcp_my_server` as programs for container bridges write it. Alias → configured name.
 */
export const toPythonAliases = (identifiers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const known = knownAliases.get(identifiers);
  if (known?.size === identifiers.size) return known.aliases;
  const own = new Set(identifiers.values());
  const aliases = new Map<string, string>();
  const add = (name: string, server: string): void => {
    if (plainName.test(name) && !own.has(name) && !aliases.has(name)) aliases.set(name, server);
  };
  // What is spelt so in the configuration comes before what only becomes it.
  const plain = [...identifiers.keys()].filter((server) => toSafeName(server) === server);
  for (const server of plain) add(server, server);
  for (const server of plain) add(`mcp_${server}`, server);
  for (const [server, identifier] of identifiers) {
    const written = toSafeName(toStarted(toPythonText(server.replace(/[^\p{L}\p{N}_]+/gu, "_"))));
    const spelt = [written, toSafeName(toSnakeCase(identifier))];
    // A single word in other letters could be one of Python's own.
    const globals = spelt.filter((name) => name === server || name.includes("_"));
    for (const name of [...globals, ...spelt.map((one) => `mcp_${one}`)]) add(name, server);
  }
  knownAliases.set(identifiers, { size: identifiers.size, aliases });
  return aliases;
};

/** How a field is written as a keyword argument: `from` as `from_`; undefined when only a dictionary can name it. */
export const toParameterName = (field: string): string | undefined => {
  if (!plainName.test(field) || field.startsWith("__")) return undefined;
  // The guest reads `from_` as `from`.
  if (field.endsWith("_") && keywords.has(field.slice(0, -1))) return undefined;
  return keywords.has(field) ? `${field}_` : field;
};

/** Whether a field can be written in the body of a class, where the names of types mean the class's own fields first. */
export const isClassField = (field: string): boolean =>
  plainName.test(field) && !field.startsWith("__") && !keywords.has(field);

/** Whether a name can be bound in a module. */
export const isModuleName = (name: string): boolean =>
  plainName.test(name) && !name.startsWith("__") && !keywords.has(name) && !moduleNames.has(name);

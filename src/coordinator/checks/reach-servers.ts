// Finds the servers that a program names, and describes each for a check: its catalog by fingerprint, the tools that the text names, and their learned types.
import { hash } from "node:crypto";
import type { PreparedProgram } from "../../checker/index.js";
import { assignFunctionNames } from "../../codegen/index.js";
import { type Language, oncePer, type ServerCatalog, type Tool, withinTime } from "../../contracts/index.js";
import { type Host, readCatalog } from "../host/host.js";
import type { PackedCatalog, ReachedServer } from "./checker-handlers.js";

/** A program with its adapters, as far as needed to find the servers they name. */
export interface Reader extends Pick<PreparedProgram, "words" | "imports"> {
  readonly text: string;
}

/** `callTool("github", …)`, `call_mcp_tool("github__…")`, `servers["github"]`. */
const isCalledByName = (text: string, server: string): boolean => {
  const name = server.replace(/[^\p{L}\p{N}_]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  // linear: white space is only matched after a word and after a bracket
  return new RegExp(`(?:tool|servers)\\s*[([]\\s*["'\`]${name}(?:["'\`]|__)`, "iu").test(text);
};

export interface ReachedServers {
  readonly catalogs: readonly ServerCatalog[];
  /** Servers that could not be listed. The check reports them. */
  readonly unlisted: readonly string[];
}

/** A server that failed recently or does not answer in time counts as not listed. It continues to start. */
const readWithin = (host: Host, server: string, waitMs: number | undefined): Promise<ServerCatalog> =>
  waitMs === undefined
    ? readCatalog(host, server)
    : withinTime(readCatalog(host, server, { priority: "background" }), { timeMs: waitMs });

/** The catalogs of the servers that a program names. A server is not started if the name may be a variable, or if the run may not use it. */
export const readReached = async (
  host: Host,
  { text, words, imports }: Reader,
  {
    allowed,
    waitMs,
  }: { readonly allowed: readonly string[] | undefined; readonly waitMs?: number | undefined },
  aliases: ReadonlyMap<string, string> = new Map(),
): Promise<ReachedServers> => {
  const unlisted: string[] = [];
  const imported = new Set(imports.map(({ path }) => path.split("/")[1] ?? ""));
  const named = new Map<string, string[]>();
  for (const [alias, server] of aliases)
    if (words.has(alias)) named.set(server, [...(named.get(server) ?? []), alias]);
  const reached = await Promise.all(
    [...host.identifiers].map(async ([server, identifier]): Promise<ServerCatalog | undefined> => {
      const others = named.get(server) ?? [];
      const names = [identifier, ...others];
      const isImported = imported.has(server) || names.some((name) => imported.has(name));
      if (!isImported && others.length === 0 && !words.has(identifier) && !text.includes(server))
        return undefined;
      if (allowed?.includes(server) === false && !host.catalogs.has(server)) return undefined;
      // Identifiers are letters, digits, "_" and "$".
      // linear: white space is only matched after a name
      const pattern = new RegExp(
        `(?<![.\\w$])(?:${names.join("|").replaceAll("$", "\\$")})\\s*(?:\\?\\.|\\.|\\[)`,
      );
      const isUsed = isImported || pattern.test(text) || isCalledByName(text, server);
      try {
        if (!host.catalogs.has(server) && !isUsed && (await host.upstreams.peek(server)) === undefined)
          return undefined;
        return await readWithin(host, server, waitMs);
      } catch {
        // The program gets the reason when it calls the server.
        unlisted.push(server);
        return undefined;
      }
    }),
  );
  return { catalogs: reached.filter((catalog) => catalog !== undefined), unlisted: unlisted.sort() };
};

export const fingerprintCatalog = oncePer((catalog: ServerCatalog): string => {
  const { server, identifier } = catalog;
  return hash("sha256", [server, identifier, ...listAll(catalog).map(toKey)].join("\n"));
});

/** Also the tools that the policy denies: a call of one is reported with its rule. */
const listAll = ({ tools, hidden = [] }: Pick<ServerCatalog, "tools" | "hidden">): readonly Tool[] =>
  hidden.length === 0 ? tools : [...tools, ...hidden];

const toKey = ({ functionName, fingerprint, denied, withheld }: Tool): string =>
  functionName + fingerprint + (withheld ?? "") + (denied === undefined ? "" : JSON.stringify(denied));

/** A tool whose schema is nested too deeply for JSON is sent without it. */
export const packCatalog = ({ server, identifier, ...catalog }: ServerCatalog): PackedCatalog => {
  const tools = listAll(catalog);
  const isPlain = (value: unknown): boolean => {
    try {
      return JSON.stringify(value) !== "";
    } catch {
      return false;
    }
  };
  const simplify = ({ outputSchema: _, ...tool }: Tool): Tool => ({
    ...tool,
    inputSchema: { type: "object" },
  });
  return {
    server,
    identifier,
    tools: isPlain(tools) ? tools : tools.map((tool) => (isPlain(tool) ? tool : simplify(tool))),
  };
};

/** `words` are those of everything that is checked together. */
export const reachServer = async (
  host: Pick<Host, "shapes">,
  catalog: ServerCatalog,
  { words, language }: { readonly words: ReadonlySet<string>; readonly language: Language },
): Promise<ReachedServer> => {
  const others = language === "python" ? readPythonNames(catalog) : undefined;
  const named = listAll(catalog).filter(
    (tool) => words.has(others?.get(tool) ?? tool.functionName) || isNamed(tool, words),
  );
  const shown = await Promise.all(named.map(host.shapes.show));
  return {
    catalog: fingerprintCatalog(catalog),
    named: named.map(({ name }) => name),
    learned: shown.flatMap(({ name, outputSchema, learned }) =>
      outputSchema === undefined && learned !== undefined ? [[name, learned.schema] as const] : [],
    ),
  };
};

const readPythonNames = oncePer(assignFunctionNames);

/** The name of a listed tool in Python. The tool may be a copy with a learned shape, so it is found by its name. */
export const findPythonName = (catalog: ServerCatalog, tool: string): string | undefined => {
  const listed = catalog.find(tool);
  return listed && readPythonNames(catalog).get(listed);
};

/** A text names a tool by its function name, or by every word of its name on the wire. */
const isNamed = ({ functionName, name }: Tool, words: ReadonlySet<string>): boolean => {
  if (words.has(functionName) || words.has(name)) return true;
  const parts = name.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
  return parts.every((part) => words.has(part));
};

// Finds the servers that a program names, with their catalogs.
import type { PreparedProgram } from "../../checker/index.js";
import type { ServerCatalog } from "../../contracts/index.js";
import { withinTime } from "../../upstream/index.js";
import { type Host, readCatalog } from "../host/host.js";

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

// The servers that a program names, with their catalogs.
import type { PreparedProgram } from "../../checker/index.js";
import type { ServerCatalog } from "../../contracts/index.js";
import { type Rooms, readCatalog } from "../opening/rooms.js";

/** A program together with its adapters, as far as it matters which servers they name. */
export interface Reader extends Pick<PreparedProgram, "words" | "imports"> {
  readonly text: string;
}

/** The catalogs of the servers that a program names. One that is only named like a variable, or that it may not use, is not started for that. */
export const readReached = async (
  rooms: Rooms,
  { text, words, imports }: Reader,
  allowed: readonly string[] | undefined,
  aliases: ReadonlyMap<string, string> = new Map(),
): Promise<readonly ServerCatalog[]> => {
  const imported = new Set(imports.map(({ path }) => path.split("/")[1] ?? ""));
  const named = new Map<string, string[]>();
  for (const [alias, server] of aliases)
    if (words.has(alias)) named.set(server, [...(named.get(server) ?? []), alias]);
  const reached = await Promise.all(
    [...rooms.identifiers].map(async ([server, identifier]): Promise<ServerCatalog | undefined> => {
      const others = named.get(server) ?? [];
      const names = [identifier, ...others];
      const isImported = imported.has(server) || names.some((name) => imported.has(name));
      if (!isImported && others.length === 0 && !words.has(identifier) && !text.includes(server))
        return undefined;
      if (allowed?.includes(server) === false && !rooms.catalogs.has(server)) return undefined;
      // Identifiers are letters, digits, "_" and "$".
      // linear: white space is only read behind a name
      const pattern = new RegExp(
        `(?<![.\\w$])(?:${names.join("|").replaceAll("$", "\\$")})\\s*(?:\\?\\.|\\.|\\[)`,
      );
      const isUsed = isImported || pattern.test(text);
      try {
        if (!rooms.catalogs.has(server) && !isUsed && (await rooms.upstreams.peek(server)) === undefined)
          return undefined;
        return await readCatalog(rooms, server);
      } catch {
        // A server that cannot be listed is not checked: the program meets the reason when it calls.
        return undefined;
      }
    }),
  );
  return reached.filter((catalog) => catalog !== undefined);
};

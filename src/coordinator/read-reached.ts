// The servers that a program names, with their catalogs.
import type { PreparedProgram } from "../checker/index.js";
import type { ServerCatalog } from "../contracts/index.js";
import { type Rooms, readCatalog } from "./rooms.js";

/** A program together with its adapters, as far as it matters which servers they name. */
export interface Reader extends Pick<PreparedProgram, "words" | "imports"> {
  readonly text: string;
}

/** The catalogs of the servers that a program names. One that is only named like a variable is not started for that. */
export const readReached = async (
  rooms: Rooms,
  { text, words, imports }: Reader,
): Promise<readonly ServerCatalog[]> => {
  const imported = new Set(imports.map(({ path }) => path.split("/")[1] ?? ""));
  const reached = await Promise.all(
    [...rooms.identifiers].map(async ([server, identifier]): Promise<ServerCatalog | undefined> => {
      const isImported = imported.has(identifier) || imported.has(server);
      if (!isImported && !words.has(identifier) && !text.includes(server)) return undefined;
      // Identifiers are letters, digits, "_" and "$".
      const pattern = new RegExp(`(?<![.\\w$])${identifier.replaceAll("$", "\\$")}\\s*(?:\\?\\.|\\.|\\[)`);
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

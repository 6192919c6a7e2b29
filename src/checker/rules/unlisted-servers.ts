// Warns about servers that a program uses but that could not be listed: their calls are not checked.
import type { Finding } from "../check.js";
import { quote } from "../diagnostics.js";
import type { Context } from "./context.js";

/** A word of the program that may name a server. */
export interface Mention {
  readonly name: string;
  readonly offset: number;
}

/** One warning per server, at its first mention. */
export const findUnlisted = (
  { request, known }: Pick<Context, "request" | "known">,
  listMentions: () => readonly Mention[],
): readonly Finding[] => {
  const { unlisted = [] } = request;
  if (unlisted.length === 0) return [];
  const places = new Map<string, number>();
  for (const { name, offset } of listMentions()) {
    const server = known.find(name)?.name ?? known.find(known.split(name).server)?.name;
    if (server !== undefined && unlisted.includes(server))
      places.set(server, Math.min(offset, places.get(server) ?? offset));
  }
  return [...places].map(([server, offset]) => ({
    severity: "warning",
    code: "NOT_CHECKED",
    offset,
    message: `The server ${quote(server)} could not be listed: its calls were not checked`,
  }));
};

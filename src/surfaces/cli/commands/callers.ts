// `callers`: manages HTTP callers and their tokens.
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { misread, readText, usage } from "../read-words.js";

const list = async ({ screen, open }: CommandContext): Promise<number> => {
  const found = await (await open()).listCallers();
  if (screen.isJson) screen.document(found);
  else if (found.length === 0)
    screen.note(
      withOwnCommand(
        'There are no callers yet: the first start of "mcp-coordinator serve --http PORT" creates one and prints its token',
      ),
    );
  else
    screen.table(
      found.map(({ name, workspace, madeAt }) => [name, workspace ?? "from the settings", madeAt]),
      { head: ["CALLER", "WORKSPACE", "TOKEN CREATED"] },
    );
  return 0;
};

const issueToken = async ({ screen, open, options }: CommandContext, verb: "add" | "renew", name: string) => {
  const coordinator = await open();
  const workspace = readText(options, "workspace");
  const made =
    verb === "add"
      ? await coordinator.addCaller({ name, workspace })
      : await coordinator.renewCaller({ name });
  if (screen.isJson) screen.document(made);
  else screen.print(`Token of ${made.name}, shown only once: ${made.token}`);
  return 0;
};

const remove = async ({ screen, open }: CommandContext, name: string): Promise<number> => {
  const isRemoved = await (await open()).removeCaller({ name });
  if (screen.isJson) screen.document({ removed: isRemoved ? [name] : [] });
  else if (isRemoved) screen.print(`removed ${name}`);
  else screen.note("Nothing was removed: there is no such caller");
  return 0;
};

export const callers: Command = {
  name: "callers",
  usage: [
    "callers",
    "callers add NAME [--workspace WORKSPACE]",
    "callers renew CALLER",
    "callers remove CALLER",
  ],
  description:
    "Each caller has a token and its own workspace: no caller sees the files, sessions or runs of another. Only hashes of tokens are stored, so a lost token must be renewed. Changes take effect at once, even in a running server.",
  examples: [
    ["mcp-coordinator callers add laptop", "A token for another client, with its own workspace"],
    ["mcp-coordinator callers renew default", "Replace a lost token"],
  ],
  options: {
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace of a new caller (default: its own)",
    },
  },
  run: async (context) => {
    const [verb, name, ...more] = context.words;
    if (verb === undefined) return list(context);
    if (verb !== "add" && verb !== "renew" && verb !== "remove")
      throw misread("callers", context.words, ["add NAME", "renew CALLER", "remove CALLER"]);
    if (name === undefined || more.length > 0)
      throw usage(`${verb} a caller`, "expected one name", "callers");
    return verb === "remove" ? remove(context, name) : issueToken(context, verb, name);
  },
};

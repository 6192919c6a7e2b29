// `pins`: shows which definitions of tools are new or changed, and accepts them.
import { CoordinatorError } from "../../../contracts/index.js";
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { confirm } from "../prompt/choose.js";
import { misread } from "../read-words.js";
import { plural } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

type Reviewed = Awaited<ReturnType<Awaited<ReturnType<CommandContext["open"]>>["reviewPins"]>>[number];

/** Longer texts are in `--json`. */
const maxShown = 600;

const toText = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return text.length > maxShown ? `${text.slice(0, maxShown)}… (${text.length} characters)` : text;
};

/** Every line is marked, so that a server's text cannot pass for ours. */
const showField = (screen: Screen, { name, before, now }: Reviewed["fields"][number]): void => {
  screen.print(screen.plain(`    ${name}`));
  const lines = (mark: string, value: unknown) =>
    value === undefined
      ? []
      : toText(value)
          .split("\n")
          .map((line) => `      ${mark} ${line}`);
  for (const line of [...lines("-", before), ...lines("+", now)]) screen.print(screen.plain(line));
};

const show = (screen: Screen, items: readonly Reviewed[]): void => {
  for (const { server, item, change, fields } of items) {
    screen.print(screen.plain(`  ${change === "new" ? "new    " : "changed"} ${server} ${item}`));
    for (const field of fields) if (field.name !== "name") showField(screen, field);
  }
};

const list = async ({ screen, open }: CommandContext): Promise<number> => {
  const { mode, file, servers, waiting } = await (await open()).listPins();
  if (screen.isJson) screen.document({ mode, file, servers, waiting });
  else if (mode === "off") {
    screen.note('Pins are off. To turn them on, set "coordinator": { "pins": "ask" } in your configuration');
  } else {
    const rows = servers.map(({ server, accepted }) => [
      server,
      String(accepted),
      String(waiting.filter((item) => item.server === server).length),
    ]);
    screen.table(rows, { head: ["SERVER", "ACCEPTED", "WAITING"] });
    show(screen, waiting);
    if (waiting.length > 0)
      screen.note(withOwnCommand('To accept them, run "mcp-coordinator pins accept SERVER"'));
  }
  return waiting.length === 0 ? 0 : 1;
};

const accept = async ({ screen, open, options }: CommandContext, server: string): Promise<number> => {
  const coordinator = await open();
  const items = await screen.during(`listing the tools of ${server}`, coordinator.reviewPins({ server }));
  if (items.length > 0 && !screen.isJson) show(screen, items);
  if (items.length === 0) {
    if (screen.isJson) screen.document({ accepted: 0 });
    else screen.print(screen.plain(`Every definition of "${server}" is accepted`));
    return 0;
  }
  if (!options.facts.has("yes")) {
    if (screen.isJson || !screen.canAsk)
      throw new CoordinatorError(
        "CONFIRMATION_NEEDED",
        `Cannot accept the definitions of "${server}": there is no terminal to ask for confirmation`,
        { hint: "Look at them, then run it again with --yes.", details: { items } },
      );
    const text = `Accept ${plural(items.length, "definition")} of "${server}"?`;
    if (!(await confirm(screen, text))) {
      screen.note("Nothing was accepted");
      return 1;
    }
  }
  const result = await coordinator.acceptPins({ server, items });
  if (screen.isJson) screen.document(result);
  else screen.print(screen.plain(`Accepted ${plural(result.accepted, "definition")} of "${server}"`));
  return 0;
};

export const pins: Command = {
  name: "pins",
  usage: ["pins", "pins accept SERVER [--yes]"],
  description:
    "A server can change what its tools say and do after you have looked at them. With the setting pins, new and changed definitions are reported and, with ask or strict, withheld until you accept them. Without arguments, pins shows what waits for review, and exits with 1 if anything does.",
  examples: [
    ["mcp-coordinator pins", "What is new or has changed"],
    ["mcp-coordinator pins accept github", "Show the differences, and ask"],
  ],
  options: { yes: { type: "boolean", short: "y", summary: "Accept without asking" } },
  run: async (context) => {
    const [verb, server, ...more] = context.words;
    if (verb === undefined) return list(context);
    if (verb === "accept" && server !== undefined && more.length === 0) return accept(context, server);
    throw misread("pins", context.words, ["accept SERVER", "nothing"]);
  },
};

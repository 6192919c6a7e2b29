// `init`: replaces the servers in a client's configuration by one entry, reversibly.
import { CoordinatorError } from "../../../contracts/index.js";
import type { FoundServer, InitRequest, InitResult } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { ask } from "../prompt/confirm.js";
import { noteError } from "../render/error.js";
import {
  noteProjectServers,
  printDifferences,
  printFound,
  printInitEnd,
  toChoice,
} from "../render/onboarding.js";
import { shortenHome } from "../render/plain-text.js";
import { fetchAhead } from "./update.js";

const noteProblems = ({ screen }: CommandContext, { problems }: InitResult): void => {
  for (const problem of problems) noteError(screen, problem);
};

const refuse = ({ changes }: InitResult): CoordinatorError =>
  new CoordinatorError(
    "CONFIRMATION_NEEDED",
    `Cannot change ${changes.length} file${changes.length === 1 ? "" : "s"}: there is no terminal to ask for confirmation`,
    {
      hint: "Review every change with --dry-run, then run it again with --yes; --client NAME selects one client.",
      details: { files: changes.map(({ path }) => path) },
    },
  );

/** Lets the person choose; `undefined` if they cancel. */
const chooseServers = async (
  { screen }: CommandContext,
  plan: InitResult,
): Promise<ReadonlySet<string> | undefined> => {
  const { choose } = await import("../prompt/choose.js");
  const positions = await choose(screen, plan.found.map(toChoice));
  if (positions === undefined) return undefined;
  return new Set(
    positions.flatMap((position) =>
      plan.found[position] === undefined ? [] : [toKey(plan.found[position])],
    ),
  );
};

const toKey = ({ path, project = "", server }: FoundServer): string => [path, project, server].join("\n");

const confirmChanges = async ({ screen }: CommandContext, plan: InitResult): Promise<boolean> => {
  screen.note(
    `${plan.moved.length} server${plan.moved.length === 1 ? "" : "s"} are moved. These files change:`,
  );
  for (const { path } of plan.changes) screen.note(`  ${shortenHome(path)}`);
  noteProjectServers(screen, plan.moved);
  for (;;) {
    const answer = await ask(screen, {
      text: "Do it? (d shows every change)",
      letters: ["y", "n", "d"],
      onEnter: "y",
      onCancel: "n",
    });
    if (answer !== "d") return answer === "y";
    printDifferences(screen, plan.changes);
  }
};

const takeOver = async (context: CommandContext, request: InitRequest): Promise<number> => {
  const { screen, options } = context;
  const { init: plan } = await import("../../../coordinator/index.js");
  const isDryRun = options.facts.has("dry-run");
  const isAgreed = options.facts.has("yes");
  const first = await screen.during("looking at your clients", plan({ ...request, isDryRun: true }));
  const hasNothing = first.found.length === 0;
  // It only creates a new file in this folder, so no confirmation is needed.
  const isFree = hasNothing || first.changes.length === 0;
  if (screen.isJson) {
    if (!isDryRun && !isAgreed && !isFree) throw refuse(first);
    screen.document(isDryRun ? first : await plan(request));
    return 0;
  }
  if (!hasNothing && (isDryRun || isAgreed || !screen.canAsk)) printFound(screen, first.found);
  noteProblems(context, first);
  if (isDryRun) {
    printDifferences(screen, first.changes);
    for (const note of first.notes) screen.note(note);
    return 0;
  }
  if (isFree || isAgreed) {
    noteProjectServers(screen, first.moved);
    return finish(context, await plan(request));
  }
  if (!screen.canAsk) throw refuse(first);
  const chosen = await chooseServers(context, first);
  const choice: InitRequest = {
    ...request,
    choose: (servers) => servers.filter((server) => chosen?.has(toKey(server)) === true),
  };
  const second = await plan({ ...choice, isDryRun: true });
  if (chosen === undefined || second.changes.length === 0 || !(await confirmChanges(context, second))) {
    screen.note("Nothing was changed");
    return 0;
  }
  return finish(context, await plan(choice));
};

const finish = async (context: CommandContext, result: InitResult): Promise<number> => {
  printInitEnd(context.screen, result);
  if (result.isWritten)
    await fetchAhead(context, [...new Set(result.moved.map(({ ownFile }) => ownFile))], false);
  return 0;
};

export const init: Command = {
  name: "init",
  usage: ["init [--client CLIENT]... [--except SERVER]... [--yes]", "init --dry-run"],
  description:
    "Finds the servers of Claude Desktop and Code, Cursor, VS Code, Codex, Gemini CLI, Zed, Goose and a dozen others, moves those you choose to mcp-coordinator's own configuration and puts one entry into the client's file. Everything else in that file stays unchanged, including comments; eject restores a backup byte for byte. If no client has a server, it writes a starter configuration.",
  examples: [
    ["mcp-coordinator init", "Choose servers with the arrow keys and take them over"],
    ["mcp-coordinator init --dry-run", "Show the exact change to every file; write nothing"],
    ["mcp-coordinator init --client cursor --yes", "One client, without asking"],
    ["mcp-coordinator eject", "Undo everything"],
  ],
  options: {
    client: { type: "string", multiple: true, value: "CLIENT", summary: "Only this client (repeatable)" },
    except: {
      type: "string",
      multiple: true,
      value: "SERVER",
      summary: "Leave this server where it is (repeatable)",
    },
    "dry-run": { type: "boolean", summary: "Show every change as a diff; write nothing" },
    yes: { type: "boolean", short: "y", summary: "Do it without asking" },
  },
  run: (context) => {
    const { client, except } = context.options.texts;
    return takeOver(context, {
      clients: client,
      except,
    });
  },
};

// `init`: replaces the servers in a client's configuration by one entry, reversibly.
import { CoordinatorError } from "../../../contracts/index.js";
import type { FoundServer, InitRequest, InitResult } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { ask, confirmChanges } from "../prompt/choose.js";
import { usage } from "../read-words.js";
import { noteError } from "../render/error.js";
import { plural, shortenHome } from "../render/plain-text.js";
import {
  noteConsequences,
  noteProjectServers,
  printDifferences,
  printFound,
  printInitEnd,
  toChoice,
} from "../render/servers.js";
import { fetchAhead } from "./update.js";

const noteProblems = ({ screen }: CommandContext, { problems }: InitResult): void => {
  for (const problem of problems) noteError(screen, problem);
};

const refuse = ({ changes }: InitResult): CoordinatorError =>
  new CoordinatorError(
    "CONFIRMATION_NEEDED",
    `Cannot change ${plural(changes.length, "file")}: there is no terminal to ask for confirmation`,
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
  const positions = await choose(screen, {
    question: "Which servers should go through mcp-coordinator?",
    choices: plan.found.map(toChoice),
  });
  if (positions === undefined) return undefined;
  return new Set(
    positions.flatMap((position) =>
      plan.found[position] === undefined ? [] : [toKey(plan.found[position])],
    ),
  );
};

const toKey = ({ path, project = "", server }: FoundServer): string => [path, project, server].join("\n");

/** Explains what the change means. The person decides once; an earlier decision stays. */
const chooseApproval = async (
  { screen, options }: CommandContext,
  plan: InitResult,
): Promise<boolean | undefined> => {
  noteConsequences(screen);
  if (options.facts.has(askOption)) return true;
  if (options.facts.has(noAskOption)) return false;
  if (plan.isApprovalDecided) return undefined;
  const answer = await ask(screen, {
    text: "Ask you before a program writes?",
    letters: ["y", "n"],
    onEnter: "y",
    onCancel: "y",
  });
  return answer === "y";
};

const confirmPlan = ({ screen }: CommandContext, plan: InitResult): Promise<boolean> => {
  screen.note(
    `${plural(plan.moved.length, "server")} ${plan.moved.length === 1 ? "is" : "are"} moved. These files change:`,
  );
  for (const { path } of plan.changes) screen.note(`  ${shortenHome(path)}`);
  noteProjectServers(screen, plan.moved);
  return confirmChanges(screen, "Do it?", () => printDifferences(screen, plan.changes));
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
    if (!isFree) noteConsequences(screen);
    for (const note of first.notes) screen.note(note);
    for (const text of first.warnings) screen.warn(text);
    screen.note("Nothing was changed");
    return 0;
  }
  if (isFree || isAgreed) {
    noteProjectServers(screen, first.moved);
    if (!isFree) noteConsequences(screen);
    return finish(context, await plan(request));
  }
  if (!screen.canAsk) throw refuse(first);
  const chosen = await chooseServers(context, first);
  const choice: InitRequest = {
    ...request,
    choose: (servers) => servers.filter((server) => chosen?.has(toKey(server)) === true),
  };
  const agree = async (): Promise<InitRequest | undefined> => {
    const second = await plan({ ...choice, isDryRun: true });
    if (chosen === undefined || second.moved.length === 0) return undefined;
    const decided = { ...choice, asksBeforeWrites: await chooseApproval(context, second) };
    return (await confirmPlan(context, await plan({ ...decided, isDryRun: true }))) ? decided : undefined;
  };
  const agreed = await agree();
  if (agreed !== undefined) return finish(context, await plan(agreed));
  screen.note("Nothing was changed");
  return 0;
};

const finish = async (context: CommandContext, result: InitResult): Promise<number> => {
  printInitEnd(context.screen, result);
  if (result.isWritten)
    await fetchAhead(context, [...new Set(result.moved.map(({ ownFile }) => ownFile))], false);
  return 0;
};

const askOption = "ask-before-writes";
const noAskOption = "no-ask-before-writes";

export const init: Command = {
  name: "init",
  usage: [
    "init [--client CLIENT]... [--except SERVER]... [--yes]",
    "init [--ask-before-writes | --no-ask-before-writes]",
    "init --dry-run",
  ],
  description:
    "Finds the servers of Claude Desktop and Code, Cursor, VS Code, Codex, Gemini CLI, Zed, Goose and a dozen others, moves those you choose to mcp-coordinator's own configuration and puts one entry into the client's file. Everything else in that file stays unchanged, including comments; eject restores a backup byte for byte. The client's own prompts no longer apply to the servers that move, so init asks whether programs need your approval before they write; --yes means that they do. If no client has a server, init writes a starter configuration.",
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
    [askOption]: { type: "boolean", summary: "Programs need your approval before they write (default)" },
    [noAskOption]: { type: "boolean", summary: "Programs write without your approval" },
  },
  run: (context) => {
    const { texts, facts } = context.options;
    if (facts.has(askOption) && facts.has(noAskOption))
      throw usage("decide on approvals", `both "--${askOption}" and "--${noAskOption}" are given`, "init");
    return takeOver(context, {
      clients: texts.client,
      except: texts.except,
      asksBeforeWrites: !facts.has(noAskOption),
    });
  },
};

// `stats`: token totals of all runs, and what the definitions of all servers would cost per turn.
import type { CoordinatorStatistics } from "../../../contracts/index.js";
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { pad } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const show = (figure: number | undefined): string => figure?.toLocaleString("en-US") ?? "";

const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${show(count)} ${count === 1 ? noun : many}`;

/** Each run and each search was at least one turn of a model. */
const countTurns = ({ total }: CoordinatorStatistics): number => total.runs + total.searches;

const printAgents = (screen: Screen, { total, days }: CoordinatorStatistics): void => {
  const first = days.find(({ tally }) => tally.runs > 0 || tally.searches > 0);
  if (first === undefined) {
    screen.print("No run of an agent was counted yet");
    return;
  }
  const failed = total.failedRuns === 0 ? "" : ` (${show(total.failedRuns)} not completed)`;
  screen.say(
    `Agents: ${plural(total.runs, "run")}${failed} with ${plural(total.calls, "call")}, ${plural(total.searches, "search", "searches")} since ${first.day}, in tokens:`,
  );
  const rows: readonly (readonly [string, number, string])[] = [
    ["programs", total.programTokens, "written by the model"],
    ["returned", total.returnedTokens, "read by the model"],
    ["searches", total.searchTokens, "written and read by the model"],
    ["calls", total.callTokens, "it would have written, calling directly"],
    ["answers", total.answerTokens, "it would have read"],
    ["left out", total.keptTokens, "of the answers, never read by the model"],
    ["saved", total.savedTokens, "calls and answers less programs, returned and searches"],
  ];
  const width = Math.max(...rows.map(([, figure]) => show(figure).length));
  for (const [name, figure, meaning] of rows)
    screen.say(`  ${pad(name, 10)}${show(figure).padStart(width)}  ${screen.style("dim", meaning)}`);
  if (total.uncountedRuns > 0) screen.print(`  not counted: ${plural(total.uncountedRuns, "run")}`);
};

const printTerminal = (screen: Screen, { terminal }: CoordinatorStatistics): void => {
  if (terminal.runs === 0) return;
  screen.say(
    `Terminal: ${plural(terminal.runs, "run")} with ${plural(terminal.calls, "call")}, not included above: no model read them`,
  );
};

const printDefinitions = (screen: Screen, statistics: CoordinatorStatistics): void => {
  const { tools, definitionTokens, shownTokens = 0, byServer, avoidedTokens = 0, total } = statistics;
  const known = byServer.filter((one) => one.tools !== undefined).length;
  screen.say(
    `${plural(tools, "tool")} of ${plural(known, "server")}: ${show(definitionTokens)} tokens of definitions in every turn, shown instead: ${show(shownTokens)}`,
  );
  const unknown = byServer.length - known;
  if (unknown > 0)
    screen.say(
      withOwnCommand(
        `  not counted: ${plural(unknown, "server")} never listed; "mcp-coordinator servers --connect" lists them`,
      ),
    );
  const turns = countTurns(statistics);
  // With unknown definitions the sum would be wrong.
  if (turns === 0 || unknown > 0) return;
  const overall = total.savedTokens + turns * avoidedTokens;
  const basis = `over ${plural(turns, "turn")}, with the definitions of now`;
  screen.say(
    overall >= 0
      ? `Together: about ${show(overall)} tokens saved ${basis}`
      : `Together: calling the tools directly would have cost about ${show(-overall)} tokens less ${basis}`,
  );
};

const printServers = (screen: Screen, { byServer }: CoordinatorStatistics): void => {
  const rows = byServer.map((one) => [
    one.server,
    ...[one.tools, one.definitionTokens, one.calls, one.answerTokens].map(show),
  ]);
  screen.table(rows, { head: ["SERVER", "TOOLS", "DEFINITIONS", "CALLS", "ANSWERS"], flexible: [0] });
};

export const stats: Command = {
  name: "stats",
  usage: ["stats"],
  description:
    "Totals of all processes with the same cache folder, counted with the o200k tokenizer. Runs that agents start, over MCP or the library, are counted separately from what you run at a terminal. Starts no server: definitions are those of servers whose tools are cached. Only numbers are stored.",
  examples: [
    ["mcp-coordinator stats", "For a person"],
    ["mcp-coordinator stats --json", "All numbers, per day and per server"],
  ],
  options: {},
  run: async ({ screen, open }) => {
    const coordinator = await open();
    const { describeSurface } = await import("../../mcp-server/index.js");
    const shown = JSON.stringify(await describeSurface(coordinator));
    const found = await screen.during("adding up", coordinator.readStatistics({ shown }));
    if (screen.isJson) {
      screen.document(found);
      return 0;
    }
    printAgents(screen, found);
    printTerminal(screen, found);
    screen.print("");
    printDefinitions(screen, found);
    printServers(screen, found);
    return 0;
  },
};

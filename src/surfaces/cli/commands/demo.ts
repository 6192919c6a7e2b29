// `demo`: shows the product on three real servers.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunResult } from "../../../contracts/index.js";
import { type Coordinator, renderOwnCommand, type ServerSummary } from "../../../coordinator/index.js";
import { type Command, type CommandContext, toExitCode } from "../command.js";
import { toConfiguration, toOrders, toSnippet } from "../demo/demo-servers.js";
import {
  countWith,
  countWithout,
  printCalls,
  printOutput,
  printProgram,
  printTitle,
  printTokens,
  type TokenCounts,
  totalOf,
} from "../demo/render-demo.js";
import { renderDuration } from "../render/plain-text.js";
import { noteFailure } from "../render/run.js";

interface Story {
  readonly program: string;
  readonly servers: readonly ServerSummary[];
  readonly startMs: number;
  readonly result: RunResult;
  /** What goes to the model, as text. */
  readonly output: string;
}

const openDemo = (open: CommandContext["open"], folder: string): Promise<Coordinator> =>
  open({
    config: toConfiguration(folder),
    settings: {
      // Nothing is stored, so that the first run in the person's list is their own.
      cacheFolder: join(folder, "cache"),
      stateFolder: join(folder, "state"),
      // Through npx, the first start downloads the server.
      timeouts: { connectTimeoutMs: 120_000 },
    },
  });

const liveStory = async (context: CommandContext, coordinator: Coordinator): Promise<Story> => {
  const { screen, signal } = context;
  const program = await readFile(new URL("../demo/program.mts", import.meta.url), "utf8");
  coordinator.warm();
  const startedAt = performance.now();
  const servers = await screen.during("starting three servers", coordinator.listServers({ connect: true }));
  const startMs = performance.now() - startedAt;
  const broken = servers.find(({ error }) => error !== undefined)?.error;
  if (broken !== undefined) throw broken;
  const result = await screen.during("running the program", coordinator.runCode({ code: program, signal }));
  return { program, servers, startMs, result, output: result.logs.map(({ text }) => text).join("\n") };
};

const readDefinitions = async (coordinator: Coordinator): Promise<string> => {
  const { describeSurface } = await import("../../mcp-server/index.js");
  return JSON.stringify(await describeSurface(coordinator));
};

const printStory = ({ screen }: CommandContext, story: Story): void => {
  const toolCount = story.servers.reduce((sum, { toolCount = 0 }) => sum + toolCount, 0);
  const names = story.servers.map(({ name }) => name).join(", ");
  printTitle(screen, "Servers", `${names}: ${toolCount} tools, started in ${renderDuration(story.startMs)}`);
  printTitle(screen, "The program an agent writes");
  printProgram(screen, story.program);
  printTitle(screen, "Its calls", `${story.result.status} in ${renderDuration(story.result.durationMs)}`);
  printCalls(screen, story.result.calls);
  printTitle(screen, "What goes to the model");
  printOutput(screen, story.output);
};

const printEnd = ({ screen }: CommandContext, through: TokenCounts, without: TokenCounts): void => {
  printTitle(screen, "Tokens", "counted with o200k");
  printTokens(screen, through, without);
  printTitle(screen, "For your own client's configuration");
  screen.print(JSON.stringify(toSnippet(), undefined, 2));
  printTitle(screen, "Or take over your own client, and undo it");
  for (const verb of ["init", "eject"]) screen.print(`  ${renderOwnCommand()} ${verb}`);
};

const showDemo = async (context: CommandContext, coordinator: Coordinator): Promise<number> => {
  const { screen } = context;
  const story = await liveStory(context, coordinator);
  if (!screen.isJson) printStory(context, story);
  if (story.result.error !== undefined) {
    if (screen.isJson) screen.document({ error: story.result.error });
    else noteFailure(screen, story.result.error);
    return toExitCode(story.result.error);
  }
  const definitions = await readDefinitions(coordinator);
  const through = await countWith(coordinator, { ...story, definitions });
  const without = await countWithout(coordinator);
  if (screen.isJson) {
    const tokens = {
      with: { ...through, total: totalOf(through) },
      without: { ...without, total: totalOf(without) },
    };
    screen.document({ ...story, tokens, snippet: toSnippet() });
  } else {
    printEnd(context, through, without);
  }
  return 0;
};

export const demo: Command = {
  name: "demo",
  usage: ["demo"],
  description:
    "Starts the public MCP servers filesystem, memory and everything in a temporary folder, runs a program that chains them, and shows the calls, the output and the tokens. Uses npx if they are not installed. Does not read your own configuration.",
  examples: [["mcp-coordinator demo", "The whole demo"]],
  options: {},
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-demo-"));
    try {
      await writeFile(join(folder, "orders.csv"), toOrders(2000));
      const coordinator = await openDemo(context.open, folder);
      try {
        return await showDemo(context, coordinator);
      } finally {
        // The servers use the folder, so it is removed after them.
        await coordinator.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

// `demo`: runs a program on three real servers, shows its calls, output and tokens, and prints the entry for a client.

import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Json, JsonObject, RunResult } from "../../../contracts/index.js";
import {
  type Coordinator,
  findOwnCommand,
  renderOwnCommand,
  type ServerSummary,
} from "../../../coordinator/index.js";
import { type Command, type CommandContext, toExitCode } from "../command.js";
import { noteFailure } from "../render/error.js";
import { cut, pad, renderDuration, toPlainText } from "../render/plain-text.js";
import { renderCall } from "../render/run.js";
import type { Screen } from "../screen.js";

interface Story {
  readonly program: string;
  readonly servers: readonly ServerSummary[];
  readonly startMs: number;
  readonly result: RunResult;
  /** What goes to the model, as text. */
  readonly output: string;
}

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

const printStory = (screen: Screen, story: Story): void => {
  const toolCount = story.servers.reduce((sum, { toolCount = 0 }) => sum + toolCount, 0);
  const names = story.servers.map(({ name }) => name).join(", ");
  printTitle(screen, "Servers", `${names}: ${toolCount} tools, started in ${renderDuration(story.startMs)}`);
  printTitle(screen, "The program an agent writes");
  printProgram(screen, story.program);
  printTitle(screen, "Its calls", `${story.result.status} in ${renderDuration(story.result.durationMs)}`);
  for (const call of story.result.calls) screen.print(`${indent}${renderCall(call, screen.columns - 2)}`);
  printTitle(screen, "What goes to the model");
  for (const line of toPlainText(story.output).split("\n"))
    screen.print(`${indent}${screen.style("cyan", cut(line, screen.columns - 2))}`);
};

const printEnd = (screen: Screen, through: TokenCounts, without: TokenCounts): void => {
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
  if (!screen.isJson) printStory(screen, story);
  if (story.result.error !== undefined) {
    if (screen.isJson) screen.document({ error: story.result.error });
    else noteFailure(screen, story.result.error);
    return toExitCode(story.result.error);
  }
  const through = await countWith(coordinator, story);
  const without = await countWithout(coordinator);
  if (screen.isJson) {
    const tokens = {
      with: { ...through, total: totalOf(through) },
      without: { ...without, total: totalOf(without) },
    };
    screen.document({ ...story, tokens, snippet: toSnippet() });
  } else printEnd(screen, through, without);
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
      const coordinator = await context.open({
        config: toConfiguration(folder),
        settings: {
          // Nothing is stored, so that the first run in the person's list is their own.
          cacheFolder: join(folder, "cache"),
          stateFolder: join(folder, "state"),
          // Through npx, the first start downloads the server.
          timeouts: { connectTimeoutMs: 120_000 },
        },
      });
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

const cities = ["New York", "Chicago", "Los Angeles"];
const products = ["lamp", "chair", "desk", "shelf", "rug", "mirror", "clock"];
const states = ["paid", "paid", "paid", "shipped", "shipped", "returned"];

// A linear congruential generator: numbers look random but never change.
const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

/** `count` orders as CSV with a header. */
export const toOrders = (count: number): string => {
  const roll = createDice(2026);
  const pick = (values: readonly string[]): string => values[roll(values.length)] ?? "";
  const lines = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((index * 181) / count))).toISOString().slice(0, 10);
    const price = (roll(40_000) / 100 + 9.5).toFixed(2);
    return [10_001 + index, day, pick(cities), pick(products), 1 + roll(4), price, pick(states)].join(",");
  });
  return `${["order,date,city,product,quantity,price,state", ...lines].join("\n")}\n`;
};

const serverVersion = "2026.8.31";

// A type, not an interface: entries may have fields of other clients.
type ServerEntry = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

const findInstalled = (packageName: string): string | undefined => {
  try {
    const file = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin: Readonly<Record<string, string>> };
    const [script] = Object.values(bin);
    return script === undefined ? undefined : join(dirname(file), script);
  } catch {
    return undefined;
  }
};

// A server gets a minimal environment, but npx must reach the registry as configured on this machine.
const networkNames = /^(https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

const networkEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) =>
      networkNames.test(name) ? [[name, value]] : [],
    ),
  );

const toEntry = (name: string, folder: string, words: readonly string[] = []): ServerEntry => {
  const packageName = `@modelcontextprotocol/server-${name}`;
  const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  const script = findInstalled(packageName);
  if (script !== undefined) return { command: process.execPath, args: [script, ...words], cwd: folder, env };
  const args = ["-y", `${packageName}@${serverVersion}`, ...words];
  return { command: "npx", args, cwd: folder, env: { ...networkEnvironment(), ...env } };
};

/** Servers limited to `folder`. */
export const toConfiguration = (folder: string): { readonly mcpServers: Record<string, ServerEntry> } => ({
  mcpServers: {
    filesystem: toEntry("filesystem", folder, [folder]),
    memory: toEntry("memory", folder),
    everything: toEntry("everything", folder),
  },
});

/** Refers to this installation, so that it works from where it is. */
const toSnippet = (): object => {
  const { command, args } = findOwnCommand();
  return {
    mcpServers: {
      coordinator: { command, args: [...args, "serve", "--config", "/path/to/your/mcp.json"] },
    },
  };
};

type TokenCounts = Readonly<Record<"definitions" | "program" | "answers" | "output", number>>;

const totalOf = ({ definitions, program, answers, output }: TokenCounts): number =>
  definitions + program + answers + output;

/** With us: our tool definitions, the program, its output. */
const countWith = async (coordinator: Coordinator, { program, output }: Story): Promise<TokenCounts> => {
  const { describeSurface } = await import("../../mcp-server/index.js");
  return {
    definitions: await coordinator.countTokens(JSON.stringify(await describeSurface(coordinator))),
    program: await coordinator.countTokens(program),
    answers: 0,
    output: await coordinator.countTokens(output),
  };
};

/** The servers' own tools only: a client has no functions for resources and prompts. */
const readServerTools = async (coordinator: Coordinator): Promise<readonly object[]> => {
  const contents = await Promise.all(
    coordinator.serverNames.map((server) => coordinator.showServer({ server })),
  );
  return Promise.all(
    contents
      .flatMap(({ tools }) => tools)
      .map(async ({ server, name }) => {
        const { description, inputSchema } = await coordinator.showTool({ server, tool: name });
        return { name: `${server}__${name}`, description, inputSchema };
      }),
  );
};

// Repeats the program's calls, because a run stores only the sizes of its answers.
const repeatCalls = async (coordinator: Coordinator): Promise<readonly Json[]> => {
  const call = (server: string, tool: string, args: JsonObject, isRaw: boolean): Promise<Json> =>
    coordinator.callTool({ server, tool, arguments: args, isRaw });
  const { entities } = (await call("memory", "read_graph", {}, false)) as {
    entities: readonly { readonly name: string }[];
  };
  const names = entities.map(({ name }) => name);
  await call("memory", "delete_entities", { entityNames: names }, false);
  return Promise.all([
    call("filesystem", "read_text_file", { path: "orders.csv" }, true),
    ...names.map((location) => call("everything", "get-structured-content", { location }, true)),
    call("memory", "create_entities", { entities: entities as unknown as Json }, true),
  ]);
};

// Most clients show a model only the content blocks, so the structured copy is not counted.
const contentOf = (answer: Json): Json => (answer as JsonObject).content ?? null;

/** Without us: the definitions of all tools, and every answer passing through the model. */
const countWithout = async (coordinator: Coordinator): Promise<TokenCounts> => ({
  definitions: await coordinator.countTokens(JSON.stringify(await readServerTools(coordinator))),
  program: 0,
  answers: await coordinator.countTokens(JSON.stringify((await repeatCalls(coordinator)).map(contentOf))),
  output: 0,
});

const indent = "  ";

const printTitle = (screen: Screen, title: string, aside = ""): void => {
  screen.print("");
  screen.print(`${screen.style("bold", title)}${aside === "" ? "" : screen.style("dim", `  ${aside}`)}`);
};

const printProgram = (screen: Screen, program: string): void => {
  for (const [index, line] of program.trimEnd().split("\n").entries()) {
    const number = screen.style("dim", String(index + 1).padStart(2));
    const text = cut(line, screen.columns - 6);
    screen.print(
      `${indent}${number}  ${text.startsWith("//") ? screen.style("green", text) : text}`.trimEnd(),
    );
  }
};

const count = (tokens: number): string => (tokens === 0 ? "–" : tokens.toLocaleString("en-US"));

const printTokens = (screen: Screen, through: TokenCounts, without: TokenCounts): void => {
  const rows = [
    ["tool definitions", count(through.definitions), count(without.definitions)],
    ["the program", count(through.program), count(without.program)],
    ["tool answers", count(through.answers), count(without.answers)],
    ["output", count(through.output), count(without.output)],
    ["together", count(totalOf(through)), count(totalOf(without))],
  ];
  for (const [name = "", left = "", right = ""] of [["", "with", "without"], ...rows]) {
    const line = `${indent}${pad(name, 22)}${left.padStart(8)}${right.padStart(10)}`;
    screen.print(name === "" || name === "together" ? screen.style("bold", line) : line);
  }
  const share = totalOf(without) / totalOf(through);
  screen.print(`${indent}${screen.style("green", `${share.toFixed(0)} times fewer with mcp-coordinator`)}`);
  const rules = [
    "With: our two tools and instructions, the program, what it printed.",
    "Without: each tool's name, description and input schema, each answer as JSON.",
  ];
  for (const rule of rules) screen.print(screen.style("dim", `${indent}${cut(rule, screen.columns - 2)}`));
};

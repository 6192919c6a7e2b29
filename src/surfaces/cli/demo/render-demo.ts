// Counts what the demo costs a model in tokens, and renders its program, calls, output and tokens.
import type { CallRecord, Json, JsonObject } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import { cut, pad, toPlainText } from "../render/plain-text.js";
import { renderCall } from "../render/run.js";
import type { Screen } from "../screen.js";

export interface TokenCounts {
  readonly definitions: number;
  readonly program: number;
  readonly answers: number;
  readonly output: number;
}

export const totalOf = (counts: TokenCounts): number =>
  counts.definitions + counts.program + counts.answers + counts.output;

/** With us: our tool definitions, the program, its output. */
export const countWith = async (
  coordinator: Coordinator,
  texts: { readonly definitions: string; readonly program: string; readonly output: string },
): Promise<TokenCounts> => ({
  definitions: await coordinator.countTokens(texts.definitions),
  program: await coordinator.countTokens(texts.program),
  answers: 0,
  output: await coordinator.countTokens(texts.output),
});

/** The servers' own tools only: a client has no functions for resources and prompts. */
const readDefinitions = async (coordinator: Coordinator): Promise<readonly object[]> => {
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
export const countWithout = async (coordinator: Coordinator): Promise<TokenCounts> => ({
  definitions: await coordinator.countTokens(JSON.stringify(await readDefinitions(coordinator))),
  program: 0,
  answers: await coordinator.countTokens(JSON.stringify((await repeatCalls(coordinator)).map(contentOf))),
  output: 0,
});

const indent = "  ";

export const printTitle = (screen: Screen, title: string, aside = ""): void => {
  screen.print("");
  screen.print(`${screen.style("bold", title)}${aside === "" ? "" : screen.style("dim", `  ${aside}`)}`);
};

export const printProgram = (screen: Screen, program: string): void => {
  for (const [index, line] of program.trimEnd().split("\n").entries()) {
    const number = screen.style("dim", String(index + 1).padStart(2));
    const text = cut(line, screen.columns - 6);
    screen.print(
      `${indent}${number}  ${text.startsWith("//") ? screen.style("green", text) : text}`.trimEnd(),
    );
  }
};

export const printCalls = (screen: Screen, calls: readonly CallRecord[]): void => {
  for (const call of calls) screen.print(`${indent}${renderCall(call, screen.columns - 2)}`);
};

export const printOutput = (screen: Screen, output: string): void => {
  for (const line of toPlainText(output).split("\n")) {
    screen.print(`${indent}${screen.style("cyan", cut(line, screen.columns - 2))}`);
  }
};

const count = (tokens: number): string => (tokens === 0 ? "–" : tokens.toLocaleString("en-US"));

export const printTokens = (screen: Screen, through: TokenCounts, without: TokenCounts): void => {
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

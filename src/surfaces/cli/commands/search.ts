// `search`: searches the tools of all configured servers.
import type { SearchDetail, SearchHit } from "../../../coordinator/index.js";
import type { Command, GivenOptions } from "../command.js";
import { readCount, readText, usage } from "../read-words.js";
import { noteUpdates } from "../render/launch.js";
import { cut, toOneLine } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const details = ["name", "summary", "full"] as const;
const languages = ["typescript", "python"] as const;

const readChoice = <Choice extends string>(
  options: GivenOptions,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => {
  const text = readText(options, name);
  const found = choices.find((choice) => choice === text);
  if (text === undefined || found !== undefined) return found;
  throw usage(`read "--${name}"`, `it is "${text}", expected ${choices.join(", ")}`, "search");
};

const printHit = (hit: SearchHit, detail: SearchDetail, screen: Screen): void => {
  const { tool, isWeak } = hit;
  const weak = isWeak ? ` ${screen.style("yellow", "(weak match)")}` : "";
  if (detail === "name") {
    screen.print(`${toOneLine(`${tool.server}.${tool.name}`)}${weak}`);
    return;
  }
  screen.print(`${screen.style("bold", toOneLine(`${tool.server}.${tool.name}`))}${weak}`);
  if (tool.description) screen.print(`  ${cut(toOneLine(tool.description), screen.columns - 2)}`);
  const lines = [
    hit.importLine,
    ...(hit.declaration ?? hit.signature ?? "").trimEnd().split("\n"),
    hit.example,
  ];
  for (const line of lines)
    if (line !== undefined) screen.print(screen.style("cyan", screen.plain(`  ${line}`)));
};

export const search: Command = {
  name: "search",
  usage: ["search QUERY [--limit N] [--server SERVER] [--detail LEVEL]"],
  description: "Each hit has its import, its signature and an example call.",
  examples: [
    ["mcp-coordinator search create an issue", "No quotes needed"],
    ["mcp-coordinator search read file --limit 3 --server files", "Within one server"],
    ["mcp-coordinator search send a message --language python", "Signatures and calls in Python"],
  ],
  options: {
    limit: { type: "string", value: "N", summary: "Maximum number of tools" },
    server: { type: "string", value: "SERVER", summary: "Only tools of this server" },
    detail: {
      type: "string",
      value: "LEVEL",
      choices: ["name", "summary", "full"],
      summary: "name, summary or full",
    },
    language: {
      type: "string",
      value: "NAME",
      choices: ["typescript", "python"],
      summary: "typescript or python",
    },
  },
  run: async ({ screen, open, words, options }) => {
    const query = words.join(" ").trim();
    if (query === "") throw usage("search", "there is no query, expected some words", "search");
    const limit = readCount(options, "limit", "search");
    const server = readText(options, "server");
    const detail = readChoice(options, "detail", details) ?? "summary";
    const language = readChoice(options, "language", languages);
    const coordinator = await open();
    const result = await screen.during(
      "searching",
      coordinator.searchTools({
        query,
        detail,
        limit,
        server,
        language,
      }),
    );
    if (screen.isJson) {
      screen.document(result);
      return 0;
    }
    for (const hit of result.hits) printHit(hit, detail, screen);
    if (result.hits.length === 0) screen.note(`No tool of ${result.total} fits "${query}"`);
    for (const word of result.unmatchedWords) {
      const near = result.near.find((one) => one.word === word)?.near.slice(0, 3) ?? [];
      screen.note(
        `No tool has the word "${word}"${near.length === 0 ? "" : `: near are ${near.join(", ")}`}`,
      );
    }
    for (const { server: name, reason } of result.unavailable) {
      screen.note(
        `${screen.styleNote("yellow", "warning")} "${name}" was not searched: ${toOneLine(reason)}`,
      );
    }
    const found = new Set(result.hits.map(({ tool }) => tool.server));
    noteUpdates(
      screen,
      (await coordinator.listServers()).filter(({ name }) => found.has(name)),
    );
    return 0;
  },
};

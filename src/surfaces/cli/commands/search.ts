// `search`: searches the tools of all configured servers.
import type { SearchDetail, SearchHit } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { languageOption, languages, readChoice, readCount, readText, usage } from "../read-words.js";
import { cut, toOneLine } from "../render/plain-text.js";
import { noteUpdates } from "../render/servers.js";
import type { Screen } from "../screen.js";

const details = ["name", "summary", "full"] as const;

const printHit = (hit: SearchHit, detail: SearchDetail, screen: Screen): void => {
  const { tool, isWeak } = hit;
  const labels = [hit.isDeprecated === true ? "deprecated" : "", isWeak ? "weak match" : ""].filter(
    (label) => label !== "",
  );
  const weak = labels.length === 0 ? "" : ` ${screen.style("yellow", `(${labels.join(", ")})`)}`;
  if (detail === "name") {
    screen.print(`${toOneLine(`${tool.server}.${tool.name}`)}${weak}`);
    return;
  }
  screen.print(`${screen.style("bold", toOneLine(`${tool.server}.${tool.name}`))}${weak}`);
  // A warning must be read whole.
  if (tool.description && hit.isDeprecated === true) screen.say(`  ${toOneLine(tool.description)}`);
  else if (tool.description) screen.print(`  ${cut(toOneLine(tool.description), screen.columns - 2)}`);
  const lines = [
    hit.importLine,
    ...(hit.declaration ?? hit.signature ?? "").trimEnd().split("\n"),
    hit.example,
  ];
  for (const line of lines)
    if (line !== undefined) screen.say(`  ${screen.style("cyan", screen.plain(line))}`);
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
    limit: { type: "string", value: "N", summary: "Maximum number of tools (default 5)" },
    server: { type: "string", value: "SERVER", summary: "Only tools of this server" },
    detail: {
      type: "string",
      value: "LEVEL",
      choices: details,
      summary: "name, summary (default) or full",
    },
    language: languageOption,
  },
  run: async ({ screen, open, words, options }) => {
    const query = words.join(" ").trim();
    if (query === "") throw usage("search", "there is no query, expected some words", "search");
    const limit = readCount(options, "limit", "search");
    const server = readText(options, "server");
    const detail = readChoice(options, "detail", details, "search") ?? "summary";
    const language = readChoice(options, "language", languages, "search");
    const coordinator = await open();
    const result = await screen.during(
      "searching",
      coordinator.searchTools({ query, detail, limit, server, language }),
    );
    if (screen.isJson) {
      screen.document(result);
      return 0;
    }
    // Before the hits, so that nobody who reads only the first lines takes a guess for an answer.
    if (result.total === 0) screen.note("Nothing was searched: no tool is known yet");
    else if (result.hits.length === 0) screen.note(`No tool of ${result.total} fits "${query}"`);
    else if (result.hits.every(({ isWeak }) => isWeak))
      screen.note(`No tool of ${result.total} really fits "${query}". The nearest:`);
    for (const hit of result.hits) printHit(hit, detail, screen);
    for (const word of result.total === 0 ? [] : result.unmatchedWords) {
      const near = result.near.find((one) => one.word === word)?.near.slice(0, 3) ?? [];
      screen.note(
        `No tool has the word "${word}"${near.length === 0 ? "" : `: near are ${near.join(", ")}`}`,
      );
    }
    for (const { server: name, reason, loginCommand } of result.unavailable) {
      screen.warn(`"${name}" was not searched: ${toOneLine(reason)}`);
      if (loginCommand !== undefined)
        screen.note(`${screen.styleNote("cyan", "hint")}  Run: ${loginCommand}`);
    }
    const found = new Set(result.hits.map(({ tool }) => tool.server));
    noteUpdates(
      screen,
      (await coordinator.listServers()).filter(({ name }) => found.has(name)),
    );
    return 0;
  },
};

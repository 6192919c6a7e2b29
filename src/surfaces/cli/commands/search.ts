// `search`: finds tools by words over every configured server.
import type { Command } from "../command.js";
import { readCount, readText, usage } from "../read-words.js";
import { cut, toOneLine } from "../render/plain-text.js";

export const search: Command = {
  name: "search",
  summary: "Find tools by words",
  usage: ["search QUERY [--limit N] [--server NAME]"],
  examples: [
    ["mcp-coordinator search create an issue", "The query needs no quotes"],
    ["mcp-coordinator search read file --limit 3 --server files", "Within one server"],
  ],
  options: {
    limit: { type: "string", value: "N", summary: "How many tools at most" },
    server: { type: "string", value: "NAME", summary: "Only tools of this server" },
  },
  run: async ({ screen, open, words, options }) => {
    const query = words.join(" ").trim();
    if (query === "") throw usage("search", "there is no query, wanted some words", "search");
    const limit = readCount(options, "limit", "search");
    const server = readText(options, "server");
    const coordinator = await open();
    const result = await screen.during(
      "searching",
      coordinator.searchTools({
        query,
        ...(limit === undefined ? {} : { limit }),
        ...(server === undefined ? {} : { server }),
      }),
    );
    if (screen.isJson) {
      screen.document(result);
      return 0;
    }
    for (const { tool, signature } of result.hits) {
      screen.print(screen.style("bold", toOneLine(`${tool.server}.${tool.name}`)));
      screen.print(`  ${screen.style("cyan", cut(toOneLine(signature), screen.columns - 2))}`);
      if (tool.description !== "") screen.print(`  ${cut(toOneLine(tool.description), screen.columns - 2)}`);
    }
    if (result.hits.length === 0) screen.note(`No tool of ${result.total} fits "${query}"`);
    for (const { server: name, reason } of result.unavailable) {
      screen.note(
        `${screen.styleNote("yellow", "warning")} "${name}" was not searched: ${toOneLine(reason)}`,
      );
    }
    return 0;
  },
};

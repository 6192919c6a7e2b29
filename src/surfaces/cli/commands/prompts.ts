// `prompts`: lists the prompts, or prints one with its arguments filled in.
import type { Command } from "../command.js";
import { usage } from "../read-words.js";
import { renderTable } from "../render/table.js";

const readArguments = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => {
      const cut = word.indexOf("=");
      if (cut < 1)
        throw usage("get a prompt", `"${word}" is not an argument, expected NAME=VALUE`, "prompts");
      return [word.slice(0, cut), word.slice(cut + 1)];
    }),
  );

export const prompts: Command = {
  name: "prompts",
  usage: ["prompts [PROMPT [argument=value …]]"],
  examples: [
    ["mcp-coordinator prompts", "What is there"],
    [
      "mcp-coordinator prompts usage-guide server=github",
      "How to write programs, with one server's functions",
    ],
    ["mcp-coordinator prompts add-servers", "For an AI that helps you add servers"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    const [name, ...rest] = words;
    const given = readArguments(rest);
    const coordinator = await open();
    if (name === undefined) {
      const listed = await coordinator.listPrompts();
      if (screen.isJson) screen.document(listed);
      else {
        const rows = listed.map((one) => [
          one.name,
          one.arguments.map((argument) => `${argument.name}=`).join(" "),
          one.description,
        ]);
        for (const line of renderTable(rows, { columns: screen.tableColumns })) screen.print(line);
      }
      return 0;
    }
    const found = await screen.during(
      "writing the prompt",
      coordinator.getPrompt({ name, arguments: given }),
    );
    if (screen.isJson) screen.document(found);
    else screen.print(screen.plain(found.text).trimEnd());
    return 0;
  },
};

// `call`: calls one tool without a program.
import { randomBytes } from "node:crypto";
import { CoordinatorError } from "../../../contracts/index.js";
import type { Command } from "../command.js";
import { putQuestion } from "../prompt/ask-person.js";
import { readArguments, readCall, readText } from "../read-words.js";

const missingName = (hint: string): CoordinatorError =>
  new CoordinatorError("USAGE", "Cannot call a tool: a name is missing, expected SERVER TOOL", { hint });

export const call: Command = {
  name: "call",
  usage: ["call SERVER TOOL [key=value …] [--raw]"],
  description:
    "The tool may also be one word, SERVER.TOOL. Arguments are key=value words or one JSON object. A value that is JSON is parsed as JSON, anything else is a string. If the tool's schema expects a string, the value stays as typed. Prints the tool's structured content, otherwise its text, parsed if it is JSON.",
  examples: [
    ["mcp-coordinator call github create_issue repo=me/app title=Hello", "Arguments by name"],
    ['mcp-coordinator call files read_text_file \'{"path":"a.txt"}\'', "Arguments as JSON"],
  ],
  options: {
    arguments: { type: "string", value: "JSON", summary: "The arguments as a JSON object" },
    raw: { type: "boolean", summary: "The whole MCP result instead of its content" },
  },
  run: async ({ screen, open, words, options, signal }) => {
    const [first] = words;
    if (first === undefined) throw missingName('Run "mcp-coordinator servers" to see your servers.');
    if (words.length === 1 && !first.includes("."))
      throw missingName(`Run "mcp-coordinator tools ${first}" to see its tools.`);
    const coordinator = await open();
    const { server, tool, pairs } = await readCall(coordinator, words);
    if (tool === undefined) throw missingName(`Run "mcp-coordinator tools ${server}" to see its tools.`);
    const asked = readArguments(pairs, readText(options, "arguments"), async () => {
      return (await coordinator.showTool({ server, tool })).inputSchema;
    });
    const answer = await screen.during(
      `calling "${server}.${tool}"`,
      asked.then((args) =>
        coordinator.callTool({
          server,
          tool,
          arguments: args,
          isRaw: options.facts.has("raw"),
          // The command may come from an agent with a shell.
          onQuestion: screen.canAsk
            ? (question) =>
                putQuestion(screen, coordinator, { question, code: randomBytes(4).toString("hex") })
            : undefined,
          onWarning: (text) => screen.say(screen.plain(text)),
          signal,
        }),
      ),
    );
    if (screen.isJson) screen.document(answer ?? null);
    else if (typeof answer === "string") screen.print(screen.plain(answer));
    else screen.print(screen.plain(JSON.stringify(answer ?? null, undefined, 2)));
    return 0;
  },
};

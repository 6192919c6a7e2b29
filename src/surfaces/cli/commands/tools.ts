// `tools`, `show` and `call`: list tools, show one or everything a server offers, and call one without a program.
import { randomBytes } from "node:crypto";
import { CoordinatorError } from "../../../contracts/index.js";
import {
  type Coordinator,
  type ServerContents,
  type ToolDescription,
  withOwnCommand,
} from "../../../coordinator/index.js";
import { type Command, serverExitCode, toExitCode } from "../command.js";
import { askQuestion } from "../prompt/ask-person.js";
import { readArguments, readCall, readTarget, readText, usage } from "../read-words.js";
import { renderTable, toOneLine, toPlainText, wrap, wrapComments } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const printTool = (screen: Screen, tool: ToolDescription): void => {
  screen.print(screen.style("bold", toPlainText(`${tool.server}.${tool.name}`)));
  for (const line of wrap(toPlainText(tool.description).trim(), screen.columns)) screen.print(line);
  screen.print("");
  screen.print(screen.style("cyan", toPlainText(tool.importLine)));
  const declaration = toPlainText(tool.declaration).trimEnd();
  for (const line of wrapComments(declaration, screen.columns)) screen.print(line);
};

const printServer = (screen: Screen, contents: ServerContents): void => {
  const section = (title: string, rows: readonly (readonly string[])[]): void => {
    if (rows.length === 0) return;
    screen.print("");
    screen.print(screen.style("bold", `${title} (${rows.length})`));
    for (const line of renderTable(rows, { columns: screen.tableColumns })) screen.print(line);
  };
  screen.print(screen.style("bold", toPlainText(contents.server)));
  if (contents.instructions !== undefined) {
    for (const line of wrap(toPlainText(contents.instructions).trim(), screen.columns)) screen.print(line);
  }
  section(
    "Tools",
    contents.tools.map(({ name, description }) => [name, description]),
  );
  section(
    "Resources",
    contents.resources.map(({ uri, name, description }) => [uri, description ?? name]),
  );
  section(
    "Resource templates",
    contents.resourceTemplates.map(({ uriTemplate, name, description }) => [
      uriTemplate,
      description ?? name,
    ]),
  );
  section(
    "Prompts",
    contents.prompts.map(({ name, description }) => [name, description ?? ""]),
  );
};

export const show: Command = {
  name: "show",
  usage: ["show SERVER.TOOL", "show SERVER"],
  examples: [
    ["mcp-coordinator show github.create_issue", "The tool's TypeScript declaration"],
    ["mcp-coordinator show github.create_issue --json", "Its schemas as the server sent them"],
    ["mcp-coordinator show github", "The server's tools, resources and prompts"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    if (words.length === 0 || words.length > 2) {
      const state = words.length === 0 ? "nothing is named" : `${words.length} names are given`;
      throw usage("show a tool", `${state}, expected SERVER.TOOL or SERVER`, "show");
    }
    const coordinator = await open();
    const { server, tool } = await readTarget(coordinator, words);
    if (tool === undefined) {
      const contents = await screen.during(`asking "${server}"`, coordinator.showServer({ server }));
      if (screen.isJson) screen.document(contents);
      else printServer(screen, contents);
      return 0;
    }
    const found = await screen.during(`asking "${server}"`, coordinator.showTool({ server, tool }));
    if (screen.isJson) screen.document(found);
    else printTool(screen, found);
    return 0;
  },
};

// Reports servers that are missing from the list: to people with a warning, to scripts with the exit code.
const noteFailures = async (screen: Screen, coordinator: Coordinator): Promise<number> => {
  let exitCode = 0;
  for (const { name, status, error } of await coordinator.listServers()) {
    if (status !== "failed" && status !== "untrusted" && status !== "unknown") continue;
    const reason = error?.message ?? withOwnCommand(`"mcp-coordinator tools ${name}" says why`);
    screen.warn(`"${name}" is left out: ${toOneLine(reason)}`);
    exitCode ||= error === undefined ? serverExitCode : toExitCode(error);
  }
  return exitCode;
};

/** Names a hanging server instead of waiting for it. */
const waitMs = 5000;

export const tools: Command = {
  name: "tools",
  usage: ["tools [SERVER] [--refresh]"],
  description: "Lists cached tools without starting their server.",
  examples: [
    ["mcp-coordinator tools", "Every tool of every server"],
    ["mcp-coordinator tools github --refresh", "Ask one server again"],
  ],
  options: { refresh: { type: "boolean", summary: "Ask the servers again instead of using the cache" } },
  run: async ({ screen, open, options, words }) => {
    const [server, ...more] = words;
    if (more.length > 0)
      throw usage("list the tools", `${words.length} names are given, expected one server`, "tools");
    const coordinator = await open();
    const refresh = options.facts.has("refresh");
    const found = await screen.during(
      "asking the servers",
      coordinator.listTools(server === undefined ? { refresh, waitMs } : { refresh, server }),
    );
    const exitCode = server === undefined ? await noteFailures(screen, coordinator) : 0;
    if (screen.isJson) {
      screen.document(found);
      return exitCode;
    }
    const lines = renderTable(
      found.map(({ server: of, name, description, isDeprecated }) => [
        `${of}.${name}`,
        // The warning in the description may be cut off.
        isDeprecated === true ? `(deprecated) ${description}` : description,
      ]),
      {
        columns: screen.tableColumns,
        head: ["TOOL", "DESCRIPTION"],
        style: (row, column, text) =>
          row === "head" ? screen.style("bold", text) : column === 1 ? screen.style("dim", text) : text,
      },
    );
    if (found.length > 0) for (const line of lines) screen.print(line);
    else
      screen.note(
        withOwnCommand(
          'There are no tools; "mcp-coordinator servers --connect" shows the state of the servers',
        ),
      );
    return exitCode;
  },
};

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
            ? (question) => {
                const code = randomBytes(4).toString("hex");
                return askQuestion(screen, coordinator, { question, code }, "The call waits for an answer");
              }
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

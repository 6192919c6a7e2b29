// `show`: one tool in full, or everything a server offers.
import type { Coordinator, ServerContents, ToolDescription } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { usage } from "../read-words.js";
import { toPlainText, wrap, wrapComments } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";
import type { Screen } from "../screen.js";

interface Target {
  readonly server: string;
  readonly tool?: string | undefined;
}

// Server and tool names may contain dots, so the configured names decide where to split.
const readTarget = async (coordinator: Coordinator, words: readonly string[]): Promise<Target> => {
  const [first = "", second] = words;
  if (second !== undefined) return { server: first, tool: second };
  const names = (await coordinator.listServers()).flatMap(({ name, identifier }) =>
    [...new Set([name, identifier])].map((spelling) => ({ name, spelling })),
  );
  const whole = names.find(({ spelling }) => spelling === first);
  if (whole !== undefined) return { server: whole.name };
  const [prefix] = names
    .filter(({ spelling }) => first.startsWith(`${spelling}.`))
    .sort((left, right) => right.spelling.length - left.spelling.length);
  if (prefix !== undefined) return { server: prefix.name, tool: first.slice(prefix.spelling.length + 1) };
  const dot = first.indexOf(".");
  return dot < 0 ? { server: first } : { server: first.slice(0, dot), tool: first.slice(dot + 1) };
};

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
      throw usage("show a tool", `there are ${words.length} words, expected SERVER.TOOL or SERVER`, "show");
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

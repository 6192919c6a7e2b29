// `tools`: lists tools, one per line.
import { type Coordinator, withOwnCommand } from "../../../coordinator/index.js";
import { type Command, serverExitCode, toExitCode } from "../command.js";
import { toOneLine } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";
import type { Screen } from "../screen.js";

// Reports servers that are missing from the list: to people with a warning, to scripts with the exit code.
const noteFailures = async (screen: Screen, coordinator: Coordinator): Promise<number> => {
  let exitCode = 0;
  for (const { name, status, error } of await coordinator.listServers()) {
    if (status !== "failed" && status !== "unknown") continue;
    const reason = error?.message ?? withOwnCommand(`"mcp-coordinator tools ${name}" says why`);
    screen.note(`${screen.styleNote("yellow", "warning")} "${name}" is left out: ${toOneLine(reason)}`);
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
  run: async ({ screen, open, options, words: [server] }) => {
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
      found.map((tool) => [`${tool.server}.${tool.name}`, tool.description]),
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

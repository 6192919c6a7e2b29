// `workspaces`: lists and removes workspaces.
import type { Command, CommandContext } from "../command.js";
import { readCount, usage } from "../read-words.js";
import { renderTime } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";

const list = async ({ screen, open }: CommandContext): Promise<number> => {
  const found = await (await open()).listWorkspaces();
  if (screen.isJson) {
    screen.document(found);
    return 0;
  }
  if (found.length === 0) {
    screen.note("There are no workspaces yet: one is created when a program first writes a file");
    return 0;
  }
  const rows = found.map(({ name, createdAt, lastUsedAt }) => [
    name,
    renderTime(createdAt),
    renderTime(lastUsedAt),
  ]);
  const lines = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["WORKSPACE", "CREATED", "LAST USED"],
    style: (row, _column, text) => (row === "head" ? screen.style("bold", text) : text),
  });
  for (const line of lines) screen.print(line);
  return 0;
};

const remove = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const [, workspace, ...more] = words;
  const days = readCount(options, "inactive", "workspaces");
  if ((workspace === undefined) === (days === undefined) || more.length > 0)
    throw usage("remove", "expected one name, or --inactive DAYS", "workspaces");
  const coordinator = await open();
  const removed =
    workspace === undefined
      ? await coordinator.removeInactiveWorkspaces({ days: days ?? 1 })
      : (await coordinator.removeWorkspace({ workspace }))
        ? [workspace]
        : [];
  if (screen.isJson) screen.document({ removed });
  else if (removed.length === 0) screen.note("Nothing was removed: there is no such workspace");
  else for (const name of removed) screen.print(`removed ${name}`);
  return 0;
};

export const workspaces: Command = {
  name: "workspaces",
  usage: ["workspaces", "workspaces remove WORKSPACE", "workspaces remove --inactive DAYS"],
  description:
    "A workspace holds the files, memory, sessions and runs of one customer. Removing it deletes all of that permanently.",
  examples: [
    ["mcp-coordinator workspaces --json", "All workspaces as JSON"],
    ["mcp-coordinator workspaces remove --inactive 90", "Remove workspaces unused for 90 days"],
  ],
  options: {
    inactive: { type: "string", value: "DAYS", summary: "Workspaces unused for this many days" },
  },
  run: async (context) => {
    const [verb] = context.words;
    if (verb === "remove") return remove(context);
    if (verb === undefined && context.options.texts.inactive === undefined) return list(context);
    throw usage(
      "list the workspaces",
      `"${verb ?? "--inactive"}" stands alone, expected "remove"`,
      "workspaces",
    );
  },
};

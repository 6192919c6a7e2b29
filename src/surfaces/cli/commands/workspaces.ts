// `workspaces` and `workspace`: list and remove workspaces, list or print the files of one.
import { isUtf8 } from "node:buffer";
import type { Command, CommandContext } from "../command.js";
import { readCount, readText, usage } from "../read-words.js";
import { renderTable, renderTime } from "../render/plain-text.js";

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
    "A workspace holds the files, memory, sessions and runs of one user or project. Removing it deletes all of that permanently.",
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

const listFiles = async ({ screen, open, words: [, path], options }: CommandContext): Promise<number> => {
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const found = await coordinator.listWorkspaceFiles({
    workspace,
    path,
  });
  if (screen.isJson) {
    screen.document(found);
    return 0;
  }
  if (found.length === 0) {
    screen.note("There are no files in this workspace");
    return 0;
  }
  const rows = found.map(({ path: name, kind, bytes, modifiedAt }) => [
    kind === "folder" ? `${name}/` : name,
    kind === "folder" ? "" : String(bytes),
    renderTime(modifiedAt),
  ]);
  const lines = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["PATH", "BYTES", "CHANGED"],
    style: (row, _column, text) => (row === "head" ? screen.style("bold", text) : text),
  });
  for (const line of lines) screen.print(line);
  return 0;
};

const printFile = async ({ screen, open, words: [, path], options }: CommandContext): Promise<number> => {
  if (path === undefined) throw usage("print a file", "its path is missing", "workspace");
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const bytes = Buffer.from(await coordinator.readWorkspaceFile({ path, workspace }));
  const isText = isUtf8(bytes);
  if (screen.isJson)
    screen.document({
      path,
      bytes: bytes.length,
      ...(isText ? { text: bytes.toString("utf8") } : { base64: bytes.toString("base64") }),
    });
  else if (isText) screen.print(screen.plain(bytes.toString("utf8").replace(/\n$/, "")));
  else throw usage(`print "${path}"`, `its ${bytes.length} bytes are not text, use --json`, "workspace");
  return 0;
};

export const workspace: Command = {
  name: "workspace",
  usage: ["workspace ls [PATH]", "workspace cat PATH"],
  examples: [
    ["mcp-coordinator workspace ls", "List the files that programs wrote"],
    [
      "mcp-coordinator workspace cat reports/june.csv --workspace acme",
      "Print one file of another workspace",
    ],
  ],
  options: {
    workspace: { type: "string", value: "WORKSPACE", summary: "The workspace (default: from the settings)" },
  },
  run: async (context) => {
    const [verb, , ...more] = context.words;
    if (verb === "ls" && more.length === 0) return listFiles(context);
    if (verb === "cat" && more.length === 0) return printFile(context);
    throw usage("look at the workspace", 'expected "ls [PATH]" or "cat PATH"', "workspace");
  },
};

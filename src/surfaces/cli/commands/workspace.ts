// `workspace`: lists or prints the files of one workspace.
import { isUtf8 } from "node:buffer";
import type { Command, CommandContext } from "../command.js";
import { readText, usage } from "../read-words.js";
import { renderTime } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";

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

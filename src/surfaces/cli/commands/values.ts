// `values`: lists the values that programs stored, or prints one.
import { writeFile } from "node:fs/promises";
import { CoordinatorError } from "../../../contracts/index.js";
import type { Command } from "../command.js";
import { inWorkspace, readText, workspaceOption } from "../read-words.js";
import { renderTable, renderTime } from "../render/plain-text.js";

export const values: Command = {
  name: "values",
  usage: ["values [ID] [--save FILE]"],
  description:
    "Programs store output that is too long for a model, files they create, and values that they pass between servers. --json prints one document with the content as text, or as Base64 for bytes.",
  examples: [
    ["mcp-coordinator values", "List them, newest first"],
    ["mcp-coordinator values k_43dae736d72ef0baeeec", "The full content of one"],
    ["mcp-coordinator values k_e0784036b78d8910f2ce --save chart.png", "Into a file"],
  ],
  options: {
    workspace: workspaceOption,
    save: { type: "string", value: "FILE", summary: "Write the content to a file" },
  },
  run: async ({ screen, open, words, options }) => {
    const [id] = words;
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    if (id === undefined) {
      const listed = await coordinator.listStoredValues(inWorkspace({}, workspace));
      if (screen.isJson) screen.document(listed);
      else if (listed.length === 0)
        screen.note(
          "Nothing is stored yet: programs store values with tool.keep(...), and output that is too long for a model",
        );
      else {
        const rows = listed.map(({ id: name, kind, bytes, count, storedAt, name: file = "" }) => [
          name,
          count === undefined ? kind : `${kind} of ${count}`,
          `${bytes.toLocaleString("en-US")} bytes`,
          renderTime(storedAt),
          file,
        ]);
        for (const line of renderTable(rows, {
          columns: screen.tableColumns,
          head: ["ID", "KIND", "SIZE", "STORED", "FILE"],
          style: (row, _column, text) => (row === "head" ? screen.style("bold", text) : text),
        }))
          screen.print(line);
      }
      return 0;
    }
    const { content, ...facts } = await coordinator.readStoredValue(inWorkspace({ id }, workspace));
    const file = readText(options, "save");
    const isText = facts.kind !== "bytes";
    if (file !== undefined) await writeFile(file, content);
    if (screen.isJson)
      screen.document({ ...facts, content: Buffer.from(content).toString(isText ? "utf8" : "base64") });
    else if (file !== undefined) screen.note(`wrote ${content.length} bytes`);
    else if (isText) screen.print(screen.plain(Buffer.from(content).toString("utf8")));
    else
      throw new CoordinatorError("USAGE", `Cannot print "${id}": it is binary`, {
        hint: "Write it into a file with --save FILE.",
      });
    return 0;
  },
};

// `shapes`: exports the result types that were learned from answers, or imports those of others.
import { readFile, writeFile } from "node:fs/promises";
import { CoordinatorError } from "../../../contracts/index.js";
import { findJsonMistake } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { readText, usage, workspaceOption } from "../read-words.js";

const countTools = (count: number): string => `${count} tool${count === 1 ? "" : "s"}`;

/** A file that is not JSON is refused with the place of its mistake. */
const readShapes = async (file: string): Promise<string> => {
  const document = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const state = error.code === "ENOENT" ? "there is no such file" : error.code;
    throw usage(`read "${file}"`, `${state}, expected a file that shapes export has written`, "shapes");
  });
  const mistake = await findJsonMistake(document);
  if (mistake === undefined) return document;
  const { line, column, wanted, pointer } = mistake;
  throw new CoordinatorError(
    "USAGE",
    `Cannot read "${file}": line ${line}, column ${column}, expected ${wanted}`,
    { hint: 'Write it with "mcp-coordinator shapes export FILE".', details: { pointer } },
  );
};

export const shapes: Command = {
  name: "shapes",
  usage: ["shapes export [FILE] [--server SERVER]", "shapes import FILE"],
  description:
    "Most servers do not declare what their tools return, so it is learned from their answers: names and types of fields, never values. A file shares that with a team. An import joins it with what is known here; tools that have changed since ignore it.",
  examples: [
    ["mcp-coordinator shapes export shapes.json", "Write what was learned"],
    ["mcp-coordinator shapes import shapes.json", "Add what others have learned"],
  ],
  options: {
    server: { type: "string", value: "SERVER", summary: "Only tools of this server" },
    workspace: workspaceOption,
  },
  run: async ({ screen, open, words, options }) => {
    const [verb, file, ...more] = words;
    const workspace = readText(options, "workspace");
    if (verb === "import" && file !== undefined && more.length === 0) {
      const document = await readShapes(file);
      const { tools } = await (await open()).importShapes({ document, workspace });
      if (screen.isJson) screen.document({ tools });
      else screen.note(`Imported the results of ${countTools(tools)}`);
      return 0;
    }
    if (verb !== "export" || more.length > 0)
      throw usage(
        "shapes",
        `"${words.join(" ")}" is not understood, expected export or import FILE`,
        "shapes",
      );
    const exported = await (await open()).exportShapes({ server: readText(options, "server"), workspace });
    if (file === undefined) screen.print(exported.document.trimEnd());
    else {
      await writeFile(file, exported.document);
      if (screen.isJson) screen.document({ tools: exported.tools });
      else screen.note(`Wrote the results of ${countTools(exported.tools)}`);
    }
    return 0;
  },
};

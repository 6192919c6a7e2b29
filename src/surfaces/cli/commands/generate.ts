// `generate` and `shapes`: the servers as a library of typed files, and the result types that were learned for it.
import { join, relative } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";
import { findJsonMistake } from "../../../coordinator/index.js";
import { type Command, serverExitCode } from "../command.js";
import {
  languageOption,
  languages,
  misread,
  readChoice,
  readNamedFile,
  readText,
  usage,
  workspaceOption,
  writeNamedFile,
} from "../read-words.js";
import { plural, toPlainText } from "../render/plain-text.js";

/** How a project of one's own uses the library. */
const describeUse = (folder: string, language: "typescript" | "python"): string => {
  const path = relative(process.cwd(), folder) || ".";
  return language === "python"
    ? `To use it in a project of your own: PYTHONPATH=${path} python3 -c "import mcp_tools; print(mcp_tools.list_servers())"`
    : `To use it in a project of your own: npm install ./${join(path, "servers")}, then import from "mcp-servers/SERVER"`;
};

export const generate: Command = {
  name: "generate",
  usage: ["generate --out DIR [--language NAME]"],
  description:
    "Writes one file per tool and an index per server, with types and comments. Only changed files are rewritten; files that you add next to them stay. Programs import the same modules. A project of your own can import them too: they start mcp-coordinator, and each call is a run with the usual approvals, limits and records.",
  examples: [
    ["mcp-coordinator generate --out library", "TypeScript, into library/servers"],
    [
      "mcp-coordinator generate --out library --language python --refresh",
      "Python, asking every server again",
    ],
  ],
  options: {
    out: { type: "string", value: "DIR", summary: "The output folder" },
    language: languageOption,
    server: { type: "string", multiple: true, value: "SERVER", summary: "Only this server (repeatable)" },
    refresh: { type: "boolean", summary: "Ask the servers even if their tools are cached" },
    force: { type: "boolean", summary: "Rewrite all generated files, including unchanged ones" },
  },
  run: async ({ screen, open, options }) => {
    const folder = readText(options, "out");
    if (folder === undefined)
      throw usage("generate the library", "no folder is given, expected --out DIR", "generate");
    const language = readChoice(options, "language", languages, "generate") ?? "typescript";
    const servers = options.texts.server;
    const coordinator = await open();
    const work = coordinator.generateLibrary({
      folder,
      language,
      refresh: options.facts.has("refresh"),
      isForced: options.facts.has("force"),
      servers,
      place: { config: options.texts.config, isProject: options.texts.project !== undefined },
    });
    const result = await screen.during("writing the library", work);
    const code = result.unavailable.length === 0 ? 0 : serverExitCode;
    if (screen.isJson) {
      screen.document(result);
      return code;
    }
    const { written, unchanged, removed } = result;
    screen.print(`${result.tools} tools of ${result.servers} servers in ${result.folder}`);
    screen.print(`${written} files written, ${unchanged} unchanged, ${removed} removed`);
    if (written > 0) screen.note(describeUse(result.folder, language));
    if (result.fallbacks.length > 0)
      screen.print(
        `${result.fallbacks.length} places have no type, because their schemas say too little (--json lists them)`,
      );
    for (const file of result.kept) screen.note(`Your own file ${toPlainText(file)} was left as it is`);
    for (const { server, reason } of result.unavailable)
      screen.note(`${server} could not be listed, its files stay as they were: ${toPlainText(reason)}`);
    return code;
  },
};

/** A file that is not JSON is refused with the place of its mistake. */
const readShapes = async (file: string): Promise<string> => {
  const document = await readNamedFile(file, `read "${file}"`, "shapes", {
    expected: 'a file written by "shapes export"',
  });
  const mistake = await findJsonMistake(document);
  if (mistake === undefined) return document;
  const { line, column, wanted, pointer } = mistake;
  throw new CoordinatorError(
    "USAGE",
    `Cannot read "${file}": invalid JSON at line ${line}, column ${column}, expected ${wanted}`,
    { hint: 'Write it with "mcp-coordinator shapes export FILE".', details: { pointer } },
  );
};

export const shapes: Command = {
  name: "shapes",
  usage: ["shapes export [FILE] [--server SERVER]", "shapes import FILE"],
  description:
    "Most servers do not declare what their tools return, so the result types are learned from their answers: names and types of fields, never values. export writes these types to a file, to share them with a team. import adds them to those learned here, except for tools that have changed since.",
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
      else screen.note(`Imported the results of ${plural(tools, "tool")}`);
      return 0;
    }
    if (verb !== "export" || more.length > 0)
      throw misread("shapes", words, ["export [FILE]", "import FILE"]);
    const exported = await (await open()).exportShapes({ server: readText(options, "server"), workspace });
    if (file === undefined) screen.print(exported.document.trimEnd());
    else {
      await writeNamedFile(file, exported.document, "shapes");
      if (screen.isJson) screen.document({ tools: exported.tools });
      else screen.note(`Wrote the results of ${plural(exported.tools, "tool")}`);
    }
    return 0;
  },
};

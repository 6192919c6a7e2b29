// `generate`: writes the servers as a tree of typed files.
import { join, relative } from "node:path";
import { type Command, serverExitCode } from "../command.js";
import { readText, usage } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";

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
    language: {
      type: "string",
      value: "NAME",
      choices: ["typescript", "python"],
      summary: "typescript (default) or python",
    },
    server: { type: "string", multiple: true, value: "SERVER", summary: "Only this server (repeatable)" },
    refresh: { type: "boolean", summary: "Ask the servers even if their tools are cached" },
    force: { type: "boolean", summary: "Rewrite all generated files, including unchanged ones" },
  },
  run: async ({ screen, open, options }) => {
    const folder = readText(options, "out");
    if (folder === undefined) throw usage("generate", "no folder is given, expected --out DIR", "generate");
    const language = readText(options, "language") ?? "typescript";
    if (language !== "typescript" && language !== "python") {
      throw usage('read "--language"', `it is "${language}", expected typescript or python`, "generate");
    }
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
    for (const file of result.kept) screen.note(`kept your own file ${toPlainText(file)}`);
    for (const { server, reason } of result.unavailable)
      screen.note(`${server} could not be listed, its files stay as they were: ${toPlainText(reason)}`);
    return code;
  },
};

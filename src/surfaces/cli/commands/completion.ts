// `completion`: prints a shell's completion script, and answers its queries.
import { readFile } from "node:fs/promises";
import type { Command, CommandContext } from "../command.js";
import { usage } from "../read-words.js";
import { toOneLine } from "../render/plain-text.js";

const scripts: Readonly<Record<string, string>> = {
  bash: "mcp-coordinator.bash",
  zsh: "mcp-coordinator.zsh",
  fish: "mcp-coordinator.fish",
  powershell: "mcp-coordinator.ps1",
};

const suggest = async (context: CommandContext): Promise<number> => {
  const [{ suggestWords }, { listNamesWith }] = await Promise.all([
    import("../completion/suggest-words.js"),
    import("../completion/list-names.js"),
  ]);
  const { screen, groups, words } = context;
  const found = await suggestWords({ words: words.slice(1), groups, listNames: listNamesWith(context) });
  if (screen.isJson) screen.document(found);
  else
    for (const { value, summary } of found)
      screen.print(summary === undefined ? toOneLine(value) : `${toOneLine(value)}\t${summary}`);
  return 0;
};

export const completion: Command = {
  name: "completion",
  usage: ["completion bash|zsh|fish|powershell"],
  description:
    "Completes commands, options, servers, tools and their arguments, skills, runs, workspaces and files from cached data. Starts no server.",
  examples: [
    ["source <(mcp-coordinator completion bash)", "For ~/.bashrc; with zsh for ~/.zshrc, after compinit"],
    ["mcp-coordinator completion fish | source", "For ~/.config/fish/config.fish"],
    ["mcp-coordinator completion powershell | Out-String | Invoke-Expression", "For $PROFILE"],
  ],
  options: {},
  run: async (context) => {
    const [shell = ""] = context.words;
    if (shell === "suggest") return suggest(context);
    const file = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (file === undefined || context.words.length > 1) {
      const found =
        context.words.length === 0
          ? "no shell is named"
          : `"${context.words.join(" ")}" is not a supported shell`;
      throw usage(
        "print a completion script",
        `${found}, expected one of ${Object.keys(scripts).join(", ")}`,
        "completion",
      );
    }
    const script = await readFile(new URL(`../completion/${file}`, import.meta.url), "utf8");
    if (context.screen.isJson) context.screen.document({ shell, script });
    else context.screen.print(script.trimEnd());
    return 0;
  },
};

// All supported clients, in the order in which they are shown.
import { join } from "node:path";
import {
  applicationFolder,
  type Client,
  type ClientFolders,
  type ClientPlace,
  clineShape,
  codeFolders,
  codexShape,
  configFolder,
  continueShape,
  copilotShape,
  filesOf,
  geminiShape,
  gooseShape,
  grokShape,
  jsonPlace,
  opencodeShape,
  plainShape,
  serverUrlShape,
  typedShape,
  zedShape,
} from "./client.js";

const tomlPlace = (scope: ClientPlace["scope"], path: string): ClientPlace => ({
  scope,
  path,
  keys: ["mcp_servers"],
  format: "toml",
});

const yamlPlace = (scope: ClientPlace["scope"], path: string, key: string, isList = false): ClientPlace => ({
  scope,
  path,
  keys: [key],
  format: "yaml",
  isList,
});

const opencodePlaces = (folders: ClientFolders, name: string): readonly ClientPlace[] => {
  const both = (folder: string): readonly string[] =>
    ["json", "jsonc"].map((ending) => join(folder, `${name}.${ending}`));
  const place = (scope: ClientPlace["scope"]) => (path: string) => ({
    ...jsonPlace(scope, path, ["mcp"]),
    newerKey: "servers",
  });
  return [
    ...both(join(configFolder(folders), name)).map(place("user")),
    ...both(folders.workingFolder).map(place("project")),
    ...both(join(folders.workingFolder, `.${name}`)).map(place("project")),
  ];
};

const inHome =
  (...parts: readonly string[]) =>
  ({ homeFolder }: ClientFolders): string =>
    join(homeFolder, ...parts);

/** One file in the home folder and one with the same format in the project. */
const inBoth =
  (user: (folders: ClientFolders) => string, ...project: readonly string[]): Client["places"] =>
  (folders) => [
    jsonPlace("user", user(folders)),
    jsonPlace("project", join(folders.workingFolder, ...project)),
  ];

const restart = (title: string): string => `Restart ${title}.`;

export const clientTable: readonly Client[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    places: (folders) => [
      jsonPlace("user", join(applicationFolder(folders), "Claude", "claude_desktop_config.json")),
    ],
    toEntry: plainShape,
    afterwards: "Quit Claude Desktop and open it again.",
  },
  {
    name: "claude-code",
    title: "Claude Code",
    places: ({ homeFolder, workingFolder, environment }) => {
      const own = join(environment.CLAUDE_CONFIG_DIR || homeFolder, ".claude.json");
      return [
        jsonPlace("user", own),
        jsonPlace("local", own, ["projects", "*", "mcpServers"]),
        jsonPlace("project", join(workingFolder, ".mcp.json")),
      ];
    },
    toEntry: typedShape,
    timeoutUnit: "milliseconds",
    afterwards: "Restart Claude Code; /mcp shows the entry.",
  },
  {
    name: "cursor",
    title: "Cursor",
    places: inBoth(inHome(".cursor", "mcp.json"), ".cursor", "mcp.json"),
    toEntry: plainShape,
    afterwards: "Cursor reloads it automatically; see Settings, MCP.",
  },
  {
    name: "vscode",
    title: "VS Code",
    places: (folders) => [
      ...codeFolders(folders).map((folder) => jsonPlace("user", join(folder, "mcp.json"), ["servers"])),
      jsonPlace("project", join(folders.workingFolder, ".vscode", "mcp.json"), ["servers"]),
    ],
    toEntry: typedShape,
    afterwards: 'Run "MCP: List Servers" in VS Code and start the entry.',
  },
  {
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    places: inBoth(inHome(".copilot", "mcp-config.json"), ".github", "mcp.json"),
    toEntry: copilotShape,
    timeoutUnit: "milliseconds",
    afterwards: restart("Copilot CLI"),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    places: (folders) => [jsonPlace("user", inHome(".codeium", "windsurf", "mcp_config.json")(folders))],
    toEntry: serverUrlShape,
    afterwards: "Press refresh in Windsurf's MCP panel.",
  },
  {
    name: "antigravity",
    title: "Antigravity",
    places: (folders) =>
      ["config", "antigravity"].map((folder) =>
        jsonPlace("user", inHome(".gemini", folder, "mcp_config.json")(folders)),
      ),
    toEntry: serverUrlShape,
    afterwards: restart("Antigravity"),
  },
  {
    name: "codex",
    title: "Codex CLI",
    places: ({ homeFolder, workingFolder, environment }) => [
      tomlPlace("user", join(environment.CODEX_HOME || join(homeFolder, ".codex"), "config.toml")),
      tomlPlace("project", join(workingFolder, ".codex", "config.toml")),
    ],
    toEntry: codexShape,
    afterwards: "Restart Codex; /mcp shows the entry.",
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    places: inBoth(inHome(".gemini", "settings.json"), ".gemini", "settings.json"),
    toEntry: geminiShape,
    hasBareVariables: true,
    isSseByDefault: true,
    timeoutUnit: "milliseconds",
    afterwards: "Restart Gemini CLI; /mcp shows the entry.",
  },
  {
    name: "zed",
    title: "Zed",
    places: (folders) => [
      ...(folders.platform === "linux" ? [] : [join(applicationFolder(folders), "Zed")])
        .concat(join(configFolder(folders), "zed"))
        .map((folder) => jsonPlace("user", join(folder, "settings.json"), ["context_servers"])),
      jsonPlace("project", join(folders.workingFolder, ".zed", "settings.json"), ["context_servers"]),
    ],
    toEntry: zedShape,
    afterwards: "Zed reloads it automatically; see the agent panel's settings.",
  },
  {
    name: "goose",
    title: "Goose",
    places: (folders) => [
      yamlPlace(
        "user",
        folders.platform === "win32"
          ? join(applicationFolder(folders), "Block", "goose", "config", "config.yaml")
          : join(configFolder(folders), "goose", "config.yaml"),
        "extensions",
      ),
      yamlPlace("project", join(folders.workingFolder, ".goose", "config.yaml"), "extensions"),
    ],
    toEntry: gooseShape,
    timeoutUnit: "seconds",
    afterwards: "Start Goose again.",
  },
  {
    name: "cline",
    title: "Cline",
    places: (folders) => [
      ...codeFolders(folders).map((folder) =>
        jsonPlace(
          "user",
          join(folder, "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
        ),
      ),
      jsonPlace("user", inHome(".cline", "data", "settings", "cline_mcp_settings.json")(folders)),
    ],
    toEntry: clineShape,
    timeoutUnit: "seconds",
    afterwards: "Cline reloads it automatically; see its MCP Servers panel.",
  },
  {
    name: "continue",
    title: "Continue",
    places: ({ homeFolder, workingFolder }) => [
      yamlPlace("user", join(homeFolder, ".continue", "config.yaml"), "mcpServers", true),
      ...filesOf(join(workingFolder, ".continue", "mcpServers"), /\.(ya?ml|json)$/).map((path) =>
        path.endsWith(".json") ? jsonPlace("project", path) : yamlPlace("project", path, "mcpServers", true),
      ),
    ],
    toEntry: continueShape,
    afterwards: "Continue reloads it automatically; if not, reload its window.",
  },
  {
    name: "opencode",
    title: "opencode",
    places: (folders) => opencodePlaces(folders, "opencode"),
    toEntry: opencodeShape,
    timeoutUnit: "milliseconds",
    isTimeoutOfStart: true,
    afterwards: restart("opencode"),
  },
  {
    name: "lm-studio",
    title: "LM Studio",
    places: (folders) => [jsonPlace("user", inHome(".lmstudio", "mcp.json")(folders))],
    toEntry: plainShape,
    afterwards: "LM Studio reloads it automatically.",
  },
  {
    name: "kiro",
    title: "Kiro",
    places: inBoth(inHome(".kiro", "settings", "mcp.json"), ".kiro", "settings", "mcp.json"),
    toEntry: plainShape,
    timeoutUnit: "milliseconds",
    afterwards: "Kiro reloads it automatically; see its MCP panel.",
  },
  {
    name: "kilo",
    title: "Kilo Code",
    places: (folders) => opencodePlaces(folders, "kilo"),
    toEntry: opencodeShape,
    timeoutUnit: "milliseconds",
    isTimeoutOfStart: true,
    afterwards: restart("Kilo Code"),
  },
  {
    name: "grok",
    title: "Grok Build",
    places: ({ homeFolder, workingFolder }) => [
      tomlPlace("user", join(homeFolder, ".grok", "config.toml")),
      tomlPlace("project", join(workingFolder, ".grok", "config.toml")),
    ],
    toEntry: grokShape,
    afterwards: restart("Grok Build"),
  },
  {
    name: "mcporter",
    title: "mcporter",
    places: inBoth(inHome(".mcporter", "mcporter.json"), "config", "mcporter.json"),
    toEntry: plainShape,
    afterwards: "The next mcporter command reads it.",
  },
];

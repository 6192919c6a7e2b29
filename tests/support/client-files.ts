// A home folder and a project with a file of every known client, in that client's usual format.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface ClientFixture {
  readonly client: string;
  /** From the root: `home/...` or `project/...`; `PROJECT` in the text stands for the project's path. */
  readonly path: string;
  readonly text: string;
  /** The servers that can be taken over. */
  readonly movable: readonly string[];
  /** Those that have to stay. */
  readonly staying?: readonly string[];
}

export const clientFixtures: readonly ClientFixture[] = [
  {
    client: "claude-desktop",
    path: "home/.config/Claude/claude_desktop_config.json",
    text: `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "desktop-files": { "command": "npx", "args": ["-y", "server-filesystem", "/tmp"] },
    "desktop-mail": { "command": "uvx", "args": ["mail"], "env": { "MAIL_TOKEN": "desktop-secret-1" } }
  }
}
`,
    movable: ["desktop-files", "desktop-mail"],
  },
  {
    client: "claude-code",
    path: "home/.claude.json",
    text: `{
  "numStartups": 7,
  "mcpServers": {
    "code-user": { "type": "stdio", "command": "code-user", "args": ["\${HOME}"], "env": {} },
    "code-remote": { "type": "http", "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer \${CODE_TOKEN}" } }
  },
  "primaryApiKey": "sk-not-for-anybody",
  "projects": {
    "PROJECT": {
      "allowedTools": [],
      "mcpServers": { "code-local": { "type": "stdio", "command": "code-local", "args": [] } }
    },
    "/elsewhere": { "mcpServers": {} }
  }
}
`,
    movable: ["code-user", "code-remote", "code-local"],
  },
  {
    client: "claude-code",
    path: "project/.mcp.json",
    text: `{
\t"mcpServers": {
\t\t"code-project": { "command": "code-project", "args": ["--x"] }
\t}
}`,
    movable: ["code-project"],
  },
  {
    client: "cursor",
    path: "home/.cursor/mcp.json",
    text: `{"mcpServers":{"cursor-user":{"command":"cursor-user","env":{"KEY":"\${env:CURSOR_KEY}"}},"cursor-remote":{"url":"https://example.com/cursor","headers":{"X-Key":"cursor-secret-1"}},"cursor-signed":{"url":"https://example.com/o","auth":{"CLIENT_ID":"x","scopes":["read","write"]}},"cursor-helped":{"url":"https://example.com/h","headersHelper":"./token"}}}`,
    movable: ["cursor-user", "cursor-remote", "cursor-signed"],
    staying: ["cursor-helped"],
  },
  {
    client: "cursor",
    path: "project/.cursor/mcp.json",
    text: '{\n  "mcpServers": {\n    "cursor-project": { "command": "cursor-project", "args": ["${workspaceFolder}"] }\n  }\n}\n',
    movable: ["cursor-project"],
  },
  {
    client: "vscode",
    path: "home/.config/Code/User/mcp.json",
    text: `{
\t// asked for once
\t"inputs": [{ "id": "gh-token", "type": "promptString", "password": true, "description": "Token" }],
\t"servers": {
\t\t"code-prompt": {
\t\t\t"type": "stdio",
\t\t\t"command": "code-prompt",
\t\t\t"env": { "GH": "\${input:gh-token}" }
\t\t},
\t\t"code-http": { "type": "http", "url": "https://example.com/vscode" },
\t},
}
`,
    movable: ["code-prompt", "code-http"],
  },
  {
    client: "vscode",
    path: "project/.vscode/mcp.json",
    text: '{ "servers": { "code-workspace": { "command": "w", "cwd": "${workspaceFolder}" } } }\n',
    movable: ["code-workspace"],
  },
  {
    client: "copilot-cli",
    path: "home/.copilot/mcp-config.json",
    text: '{\n  "mcpServers": {\n    "copilot": { "type": "local", "command": "copilot", "args": [], "tools": ["*"] },\n    "copilot-limited": { "type": "local", "command": "l", "tools": ["one"] }\n  }\n}\n',
    movable: ["copilot"],
    staying: ["copilot-limited"],
  },
  {
    client: "windsurf",
    path: "home/.codeium/windsurf/mcp_config.json",
    text: '{\r\n  "mcpServers": {\r\n    "surf": { "serverUrl": "https://example.com/surf", "headers": { "Authorization": "Bearer ${env:SURF}" }, "disabled": true }\r\n  }\r\n}\r\n',
    movable: ["surf"],
  },
  {
    client: "antigravity",
    path: "home/.gemini/config/mcp_config.json",
    text: '{ "mcpServers": { "anti": { "serverUrl": "https://example.com/anti" } } }',
    movable: ["anti"],
  },
  {
    client: "codex",
    path: "home/.codex/config.toml",
    text: `# Codex
model = "gpt"

[mcp_servers.codex-one]
command = "codex-one"
args = ["-y"]
startup_timeout_sec = 20
env_vars = ["CODEX_PASS"]

[mcp_servers.codex-one.env]
TOKEN = "codex-secret-1"

[mcp_servers.codex-remote]   # the remote one
url = "https://example.com/codex"
bearer_token_env_var = "CODEX_TOKEN"
enabled = false

[mcp_servers.codex-limited]
command = "x"
disabled_tools = ["delete"]

[tui]
theme = "dark"
`,
    movable: ["codex-one", "codex-remote"],
    staying: ["codex-limited"],
  },
  {
    client: "codex",
    path: "project/.codex/config.toml",
    text: '[mcp_servers]\ncodex-project = { command = "p", args = ["a"] }',
    movable: ["codex-project"],
  },
  {
    client: "gemini-cli",
    path: "home/.gemini/settings.json",
    text: `{
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "mcpServers": {
    "gemini-one": { "command": "$GEMINI_HOME/bin/one", "env": { "A": "$GEMINI_A" }, "trust": true, "timeout": 5000 },
    "gemini-http": { "httpUrl": "https://example.com/gemini" },
    "gemini-sse": { "url": "https://example.com/gemini/sse" }
  }
}
`,
    movable: ["gemini-one", "gemini-http", "gemini-sse"],
  },
  {
    client: "zed",
    path: "home/.config/zed/settings.json",
    text: `// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    // mine
    "zed-custom": { "source": "custom", "command": "zed-custom", "args": [], "env": {} },
    "zed-older": { "command": { "path": "zed-older", "args": ["a"], "env": { "B": "zed-secret-1" } } },
    "zed-extension": { "source": "extension", "settings": {} },
  },
}
`,
    movable: ["zed-custom", "zed-older"],
    staying: ["zed-extension"],
  },
  {
    client: "goose",
    path: "home/.config/goose/config.yaml",
    text: `# Goose
GOOSE_PROVIDER: "x"
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin
  # fetches
  goose-fetch:
    name: goose-fetch
    type: stdio
    cmd: uvx
    args:
      - fetch
    envs:
      FETCH_KEY: 'goose-secret-1'
    enabled: true
    timeout: 300
  goose-remote: { type: streamable_http, uri: https://example.com/goose, enabled: false, name: goose-remote }
GOOSE_MODE: auto
`,
    movable: ["goose-fetch", "goose-remote"],
    staying: ["developer"],
  },
  {
    client: "cline",
    path: "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    text: '{\n  "mcpServers": {\n    "cline-one": {\n      "autoApprove": ["read"],\n      "disabled": false,\n      "timeout": 60,\n      "type": "stdio",\n      "command": "cline-one"\n    },\n    "cline-http": { "type": "streamableHttp", "url": "https://example.com/cline" }\n  }\n}',
    movable: ["cline-one", "cline-http"],
  },
  {
    client: "continue",
    path: "home/.continue/config.yaml",
    text: `name: Mine
version: 1.0.0
models:
  - name: a model
    apiKey: sk-model-key
mcpServers:
  # first
  - name: continue-one
    command: npx
    args: [-y, one]
    env:
      KEY: \${{ secrets.CONTINUE_KEY }}
  - name: continue-remote
    type: streamable-http
    url: https://example.com/continue
`,
    movable: ["continue-one", "continue-remote"],
  },
  {
    client: "continue",
    path: "project/.continue/mcpServers/one.yaml",
    text: "name: One\nversion: 0.0.1\nschema: v1\nmcpServers:\n- name: continue-project\n  command: p\n",
    movable: ["continue-project"],
  },
  {
    client: "opencode",
    path: "home/.config/opencode/opencode.jsonc",
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "open-local": { "type": "local", "command": ["npx", "-y", "open"], "environment": { "A": "{env:OPEN_A}" }, "enabled": true }, // local
    "open-remote": { "type": "remote", "url": "https://example.com/open", "headers": { "K": "{env:OPEN_K}" } },
    "open-file": { "type": "remote", "url": "https://example.com/f", "headers": { "K": "{file:~/.key}" } }
  }
}
`,
    movable: ["open-local", "open-remote"],
    staying: ["open-file"],
  },
  {
    client: "opencode",
    path: "project/opencode.json",
    text: '{ "mcp": { "servers": { "open-project": { "type": "local", "command": ["p"] } } } }\n',
    movable: ["open-project"],
  },
  {
    client: "lm-studio",
    path: "home/.lmstudio/mcp.json",
    text: '{\n  "mcpServers": {\n    "studio": { "command": "studio" }\n  }\n}',
    movable: ["studio"],
  },
  {
    client: "kiro",
    path: "home/.kiro/settings/mcp.json",
    text: '{\n  "mcpServers": {\n    "kiro-one": { "command": "kiro", "autoApprove": [], "disabledTools": [] }\n  }\n}\n',
    movable: ["kiro-one"],
  },
  {
    client: "kilo",
    path: "home/.config/kilo/kilo.json",
    text: '{ "mcp": { "kilo-one": { "type": "local", "command": ["kilo"], "enabled": false } } }',
    movable: ["kilo-one"],
  },
  {
    client: "grok",
    path: "home/.grok/config.toml",
    text: '\ufeff[mcp_servers.grok-one]\r\ncommand = "grok"\r\n\r\n[ui]\r\ncolour = true\r\n',
    movable: ["grok-one"],
  },
  {
    client: "mcporter",
    path: "home/.mcporter/mcporter.json",
    text: '{\n  "mcpServers": {\n    "porter": { "baseUrl": "https://example.com/porter", "headers": { "A": "Bearer $env:PORTER" } }\n  },\n  "imports": []\n}\n',
    movable: ["porter"],
  },
];

export interface ClientHome {
  readonly homeFolder: string;
  readonly workingFolder: string;
  /** Arguments that keep `init` and other commands away from this machine's files. */
  readonly places: {
    readonly homeFolder: string;
    readonly workingFolder: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly platform: "linux";
  };
  readonly pathOf: (fixture: Pick<ClientFixture, "path">) => string;
  readonly read: (fixture: Pick<ClientFixture, "path">) => string;
  readonly write: (fixture: Pick<ClientFixture, "path">, text: string) => void;
  readonly close: () => void;
}

/** Writes the fixtures into a temporary folder. */
export const openClientHome = (fixtures: readonly ClientFixture[] = clientFixtures): ClientHome => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "clients-")));
  const homeFolder = join(root, "home");
  const workingFolder = join(root, "project");
  for (const folder of [homeFolder, workingFolder]) mkdirSync(folder);
  const pathOf: ClientHome["pathOf"] = ({ path }) => join(root, path);
  const write: ClientHome["write"] = (fixture, text) => {
    mkdirSync(dirname(pathOf(fixture)), { recursive: true });
    writeFileSync(pathOf(fixture), text.replaceAll("PROJECT", workingFolder));
  };
  for (const fixture of fixtures) write(fixture, fixture.text);
  return {
    homeFolder,
    workingFolder,
    places: { homeFolder, workingFolder, environment: {}, platform: "linux" },
    pathOf,
    read: (fixture) => readFileSync(pathOf(fixture), "utf8"),
    write,
    close: () => rmSync(root, { recursive: true, force: true }),
  };
};

// Real command lines of package runners, and what each installs and starts.
import { describe, expect, test } from "vitest";
import { isPinned, parseRunner, type RunnerCommand } from "../../../../src/upstream/launch/parse-runner.js";

const parse = (line: string): RunnerCommand | undefined => {
  const [command = "", ...args] = line.split(" ");
  return parseRunner(command, args);
};

/** Command line → runner, packages, program, words of the program. */
const direct: readonly (readonly [string, string, string, string | undefined, string])[] = [
  [
    "npx -y @modelcontextprotocol/server-filesystem /data",
    "npx",
    "@modelcontextprotocol/server-filesystem",
    undefined,
    "/data",
  ],
  [
    "npx --yes @playwright/mcp@latest --headless --no-sandbox",
    "npx",
    "@playwright/mcp@latest",
    undefined,
    "--headless --no-sandbox",
  ],
  [
    "npx @aashari/mcp-server-atlassian-bitbucket@3.1.0",
    "npx",
    "@aashari/mcp-server-atlassian-bitbucket@3.1.0",
    undefined,
    "",
  ],
  ["npx -y -- mcp-obsidian /vault", "npx", "mcp-obsidian", undefined, "/vault"],
  ["npx -y mcp-remote -- --flag", "npx", "mcp-remote", undefined, "-- --flag"],
  ["npx -y --package=@ant-design/cli antd mcp", "npx", "@ant-design/cli", "antd", "mcp"],
  ["npx -y -p mcp-a -p mcp-b run-b", "npx", "mcp-a mcp-b", "run-b", ""],
  ["/opt/node/bin/npx -y n8n-mcp", "npx", "n8n-mcp", undefined, ""],
  ["cmd /c npx -y n8n-mcp", "npx", "n8n-mcp", undefined, ""],
  ["cmd.exe /d /s /C npx.cmd -y n8n-mcp", "npx", "n8n-mcp", undefined, ""],
  ["C:\\nodejs\\npx.cmd -y n8n-mcp", "npx", "n8n-mcp", undefined, ""],
  ["npm exec --yes -- mcp-echarts -t sse", "npm exec", "mcp-echarts", undefined, "-t sse"],
  ["npm x mcp-echarts --yes -- --port 1", "npm exec", "mcp-echarts", undefined, "--port 1"],
  ["uvx mcp-server-git --repository .", "uvx", "mcp-server-git", undefined, "--repository ."],
  [
    "uvx --from mcp-server-fetch==2025.4.7 mcp-server-fetch",
    "uvx",
    "mcp-server-fetch==2025.4.7",
    "mcp-server-fetch",
    "",
  ],
  [
    "uvx --python 3.12 --with httpx mcp-server-time@latest",
    "uvx",
    "mcp-server-time@latest httpx",
    undefined,
    "",
  ],
  [
    "uv tool run mcp-server-sqlite --db-path a.db",
    "uv tool run",
    "mcp-server-sqlite",
    undefined,
    "--db-path a.db",
  ],
  [
    "docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server stdio",
    "docker run",
    "ghcr.io/github/github-mcp-server",
    undefined,
    "stdio",
  ],
  ["pnpm dlx mcp-a --stdio", "pnpm dlx", "mcp-a", undefined, "--stdio"],
  ["pnpm --silent dlx mcp-a@1.2.0", "pnpm dlx", "mcp-a@1.2.0", undefined, ""],
  ["pnpm --package=mcp-a dlx run-a -v", "pnpm dlx", "mcp-a", "run-a", "-v"],
  ["pnpx @b/mcp-a", "pnpm dlx", "@b/mcp-a", undefined, ""],
  ["yarn dlx -q mcp-a x", "yarn dlx", "mcp-a", undefined, "x"],
  ["yarn dlx -p mcp-a -p mcp-b run-b", "yarn dlx", "mcp-a mcp-b", "run-b", ""],
  ["bunx mcp-a@latest --port 1", "bunx", "mcp-a@latest", undefined, "--port 1"],
  ["bun x mcp-a", "bunx", "mcp-a", undefined, ""],
  ["npm --silent exec -- mcp-a", "npm exec", "mcp-a", undefined, ""],
  ["pipx run mcp-a --word", "pipx run", "mcp-a", undefined, "--word"],
  ["pipx run --spec mcp-a==1.2 run-a", "pipx run", "mcp-a==1.2", "run-a", ""],
  ["uv --quiet tool run mcp-a", "uv tool run", "mcp-a", undefined, ""],
  ["podman run --rm -i --mount=type=bind,src=/a,dst=/b mcp/fetch", "podman run", "mcp/fetch", undefined, ""],
];

test.each(direct)("parseRunner() parses %s", (line, runner, specs, bin, args) => {
  const found = parse(line);
  expect(found?.obstacle).toBeUndefined();
  expect({ ...found, specs: found?.specs.join(" "), args: found?.args.join(" ") }).toMatchObject({
    runner,
    specs,
    args,
  });
  expect(found?.bin).toBe(bin);
});

test.each([
  ["npx -y --node-options=--inspect mcp-a", "--node-options"],
  ["npx -c mcp-a", "-c"],
  ["npx --offline mcp-a", "--offline"],
  ["npx -y github:user/repo", "registry"],
  ["npx -y ./server", "registry"],
  ["npx -y https://example.com/a.tgz", "registry"],
  ["uvx --from git+https://example.com/a mcp-a", "registry"],
  ["uvx --isolated mcp-a", "--isolated"],
  ["pnpm dlx -c mcp-a", "-c"],
  ["pnpm dlx --allow-build=x mcp-a", "--allow-build"],
  ["yarn dlx ./server", "registry"],
  ["bunx --bun mcp-a", "--bun"],
  ["bunx github:user/repo", "registry"],
  ["pipx run mcp-a@1.2", "registry"],
  ["pipx run --pip-args=x mcp-a", "--pip-args"],
  ["pipx run https://example.com/a.py", "registry"],
  ["deno run -A npm:mcp-a", "Deno"],
  ["deno run --config deno.json npm:mcp-a", "Deno"],
  ["docker run -i --odd thing image", "--odd"],
])("parseRunner() leaves %s as written, and says why", (line, reason) => {
  expect(parse(line)?.obstacle).toContain(reason);
});

test.each([
  "node server.js",
  "npm run start",
  "uv run server.py",
  "python -m mcp_server",
  "docker compose up",
  "deno run -A server.ts",
  "pnpm run dlx",
  "yarn --cwd dlx start",
  "bun run x",
  "npx",
  "cmd /c start npx",
  "my-npx mcp-a",
])("parseRunner() does not recognize %s as a package runner", (line) => {
  expect(parse(line)).toBeUndefined();
});

describe("isPinned()", () => {
  test.each([
    ["npx a@1.2.3", true],
    ["npx @b/a@1.2.3-beta.1", true],
    ["npx a@1.2", false],
    ["npx a@^1.2.3", false],
    ["npx a@latest", false],
    ["npx @b/a", false],
    ["npx -p a@1.2.3 -p b a", false],
    ["uvx a==1.2", true],
    ["uvx a@1.2.3", true],
    ["uvx a>=1.2", false],
    ["uvx a", false],
    ["docker run a@sha256:00", true],
    ["docker run a:1.2", false],
  ])("of %s is %s", (line, expected) => {
    const found = parse(line);
    expect(found !== undefined && isPinned(found)).toBe(expected);
  });
});

test("parseRunner() reads a very long line in bounded time", () => {
  expect(parseRunner("npx", ["-y", `a@${"1.".repeat(200_000)}`])).toBeUndefined();
});

// Diagnoses of servers that do not start. The texts are real output of npm 11, Node 20, uv, pip, Docker 28, Podman 4 and published servers.
import { describe, expect, it } from "vitest";
import { diagnoseMissing, diagnoseStart, type StartFacts } from "../../../src/upstream/diagnose-start.js";

const npx = { command: "npx", package: "mcp-x", exitCode: 1 };
const npxInstalled = { ...npx, installFolder: "/home/me/.npm/_npx/71b7d53511ff2b57" };
const log = "npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log";

const table: readonly (readonly [text: string, facts: StartFacts, reason: string, state: string])[] = [
  [
    `node:internal/modules/cjs/loader:1031
      throw new ERR_UNKNOWN_BUILTIN_MODULE(request);
      ^

Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite
    at Module._load (node:internal/modules/cjs/loader:1031:13) {
  code: 'ERR_UNKNOWN_BUILTIN_MODULE'
}

Node.js v20.20.2`,
    npx,
    "node-version",
    'its Node is too old: it has no module "node:sqlite"',
  ],
  [
    `npm error code EBADENGINE
npm error engine Unsupported engine
npm error engine Not compatible with your version of node/npm: x@1.0.0
npm error notsup Not compatible with your version of node/npm: x@1.0.0
npm error notsup Required: {"node":">=90"}
npm error notsup Actual:   {"node":"v20.20.2","npm":"11.19.1"}
${log}`,
    npx,
    "node-version",
    "its package needs Node >=90",
  ],
  [
    "/usr/bin/node: bad option: --experimental-nope-flag",
    { command: "node", exitCode: 9 },
    "node-version",
    'its Node does not know "--experimental-nope-flag"',
  ],
  [
    `npm error code E404
npm error 404 Not Found - GET https://registry.invalid/mcp-x
npm error 404
npm error 404  The requested resource 'mcp-x@*' could not be found or you do not have permission to access it.
npm notice New minor version of npm available! 11.19.1 -> 11.21.1
${log}`,
    npx,
    "package-unknown",
    'its registry has no package "mcp-x", or not in that version',
  ],
  [
    `npm error code ETARGET
npm error notarget No matching version found for mcp-x@99.0.0.
${log}`,
    { ...npx, package: "mcp-x@99.0.0" },
    "package-unknown",
    'its registry has no package "mcp-x@99.0.0", or not in that version',
  ],
  [
    `error: No solution found when resolving tool dependencies
  cause: Because mcp-x was not found in the package registry and you require mcp-x, we can conclude that your requirements are unsatisfiable.`,
    { command: "uvx", package: "mcp-x", exitCode: 1 },
    "package-unknown",
    'its registry has no package "mcp-x", or not in that version',
  ],
  [
    `error: No solution found when resolving tool dependencies
  cause: Because there is no version of black==99.0 and you require black==99.0, we can conclude that your requirements are unsatisfiable.`,
    { command: "uvx", package: "black@99.0", exitCode: 1 },
    "package-unknown",
    'its registry has no package "black@99.0", or not in that version',
  ],
  [
    `ERROR: Could not find a version that satisfies the requirement mcp-x (from versions: none)
ERROR: No matching distribution found for mcp-x`,
    { command: "pipx", package: "mcp-x", exitCode: 1 },
    "package-unknown",
    'its registry has no package "mcp-x", or not in that version',
  ],
  [
    `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/mcp-x failed, reason: connect ECONNREFUSED 127.0.0.1:9
${log}`,
    npx,
    "network",
    "its registry cannot be reached (ECONNREFUSED)",
  ],
  [
    `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error network request to http://nowhere.invalid/mcp-x failed, reason: getaddrinfo ENOTFOUND nowhere.invalid
${log}`,
    npx,
    "network",
    "its registry cannot be reached (ENOTFOUND)",
  ],
  [
    `error: Failed to fetch: http://nowhere.invalid/simple/black/
  cause: error sending request for url (http://nowhere.invalid/simple/black/)
  cause: client error (Connect)
  cause: dns error`,
    { command: "uvx", package: "black", exitCode: 2 },
    "network",
    "its registry cannot be reached",
  ],
  [
    `Trying to pull registry.invalid/x/y:latest...
Error: initializing source docker://registry.invalid/x/y:latest: pinging container registry registry.invalid: Get "https://registry.invalid/v2/": dial tcp: lookup registry.invalid on 127.0.0.1:53: no such host`,
    { command: "podman", package: "registry.invalid/x/y", exitCode: 125 },
    "network",
    "its registry cannot be reached",
  ],
  [
    `docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information`,
    { command: "/usr/local/bin/docker", package: "hello", exitCode: 125 },
    "container-runtime",
    "docker is installed, but its daemon is not running",
  ],
  [
    `error: No interpreter found in managed installations

hint: A managed Python download is available, but Python downloads are set to 'never'`,
    { command: "uvx", package: "black", exitCode: 2 },
    "python-missing",
    "it needs Python, but none was found",
  ],
  [
    "/usr/bin/env: ‘python3’: No such file or directory",
    { command: "./server", exitCode: 127 },
    "python-missing",
    "it needs Python, but none was found",
  ],
  [
    "/usr/bin/python3: No module named mcp_server_nope",
    { command: "python3", exitCode: 1 },
    "module-missing",
    'its Python has no module "mcp_server_nope"',
  ],
  [
    `Error: Cannot find module 'nope-pkg'
Require stack:
- /srv/b.cjs
  code: 'MODULE_NOT_FOUND',`,
    { command: "node", exitCode: 1 },
    "module-missing",
    'it cannot find "nope-pkg", which it needs',
  ],
  [
    `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /home/me/.npm/_npx/71b7d53511ff2b57/node_modules/mcp-x/index.js
    at packageResolve (node:internal/modules/esm/resolve:873:9)`,
    npxInstalled,
    "installation-damaged",
    'its installation is damaged: "zod" is missing',
  ],
  [
    "sh: 1: mcp-server-slack: not found",
    { ...npxInstalled, exitCode: 127 },
    "installation-damaged",
    "its installation is damaged: its program is missing",
  ],
  [
    `npm error code EISDIR
npm error syscall read
npm error errno -21
npm error Could not read package.json: Error: EISDIR: illegal operation on a directory, read
${log}`,
    { ...npxInstalled, exitCode: 235 },
    "installation-damaged",
    "its npm installation is damaged",
  ],
  [
    "./arm: 1: \x7fELF\ufffd: not found",
    { command: "./arm", exitCode: 127 },
    "architecture",
    `it is built for another platform than this one, ${process.platform} ${process.arch}`,
  ],
  [
    "Error: BRAVE_API_KEY environment variable is required",
    npx,
    "variable-missing",
    'it requires the variable "BRAVE_API_KEY"',
  ],
  [
    "Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables",
    npx,
    "variable-missing",
    'it requires the variables "SLACK_BOT_TOKEN", "SLACK_TEAM_ID"',
  ],
  [
    `Traceback (most recent call last):
  File "<frozen os>", line 679, in __getitem__
KeyError: 'MY_API_KEY'`,
    { command: "python3", exitCode: 1 },
    "variable-missing",
    'it requires the variable "MY_API_KEY"',
  ],
];

describe("diagnoseStart", () => {
  it.each(table)("diagnoses %j and suggests the next step", (stderr, facts, reason, state) => {
    const diagnosis = diagnoseStart({ ...facts, stderr });
    expect(diagnosis).toMatchObject({ reason, state });
    expect(diagnosis?.hint.length).toBeGreaterThan(10);
  });

  it("does not report npm warnings as the reason", () => {
    const warning = `npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   required: { node: '>=90' },
npm WARN deprecated inflight@1.0.6: This module is not supported, ENOSPC
npm notice New minor version of npm available!`;
    expect(diagnoseStart({ ...npx, stderr: warning })).toBeUndefined();
    expect(
      diagnoseStart({ ...npx, stderr: `${warning}\nGITLAB_TOKEN environment variable is not set` }),
    ).toMatchObject({
      reason: "variable-missing",
    });
  });

  it("names the Node version that the package requires if there is no other reason", () => {
    const node = { version: "20.20.2", required: ">=22" };
    const stderr = "TypeError: Promise.withResolvers is not a function";
    expect(diagnoseStart({ ...npx, stderr, node })).toMatchObject({
      reason: "node-version",
      state: "it needs Node >=22, but 20.20.2 started it",
    });
  });

  it("returns nothing for unknown output, or for a database that a server cannot reach", () => {
    expect(diagnoseStart({ ...npx, stderr: "Error: connect ECONNREFUSED 127.0.0.1:5432" })).toBeUndefined();
    expect(
      diagnoseStart({ ...npx, stderr: "Please provide a database URL as a command-line argument" }),
    ).toBeUndefined();
  });

  it("handles a flood of text in bounded time", () => {
    const stderr = "Cannot find module SOME_NAME_".repeat(200_000);
    expect(diagnoseStart({ ...npx, stderr })).toBeUndefined();
  });
});

describe("diagnoseMissing", () => {
  it("says how to install a missing command", () => {
    expect(diagnoseMissing("docker")).toMatchObject({
      reason: "container-runtime",
      hint: expect.stringContaining("Podman"),
    });
    expect(diagnoseMissing("python3.12")).toMatchObject({ reason: "python-missing" });
    expect(diagnoseMissing("uvx").hint).toContain("Install uv");
    expect(diagnoseMissing("npx").hint).toContain("Install Node");
    expect(diagnoseMissing("odd-server").hint).toBe(
      'Install "odd-server", or give its full path as "command".',
    );
  });
});

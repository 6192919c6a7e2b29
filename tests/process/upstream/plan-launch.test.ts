// Obstacles to a direct start: installed packages, and settings that only the runner obeys.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { planLaunch } from "../../../src/upstream/launch/plan-launch.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

interface Machine {
  readonly line: string;
  /** Path below the machine's folder → content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A home, a project in it, and programs that are never started. */
const findObstacle = async ({ line, files = {}, env = {} }: Machine): Promise<string | undefined> => {
  const root = await temporaryFolder();
  const programs = ["npm", "npx", "pnpm", "yarn", "bunx", "uv", "pipx"].map((name) => [`bin/${name}`, ""]);
  for (const [path = "", text = ""] of [...programs, ["home/project/x", ""], ...Object.entries(files)]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    if (path.startsWith("bin/")) await chmod(join(root, path), 0o755);
  }
  const [command = "", ...args] = line.split(" ");
  const cwd = join(root, "home", "project");
  const plan = await planLaunch(
    {
      ...{ name: "a", written: line, source: "test", isEnabled: true },
      target: { kind: "stdio", command, args, cwd, env: { ...env } },
    },
    {
      folder: join(root, "packages"),
      mode: "direct",
      environment: { PATH: join(root, "bin"), HOME: join(root, "home") },
    },
  );
  return plan?.obstacle?.replaceAll(root, "");
};

it.each(["npx -y mcp-a", "pnpm dlx mcp-a", "yarn dlx mcp-a", "bunx mcp-a", "pipx run mcp-a"])(
  "%s is started directly if there is no obstacle",
  async (line) => {
    expect(await findObstacle({ line, files: { "home/project/package.json": "{}" } })).toBeUndefined();
  },
);

it("a registry in the user's own .npmrc is no obstacle for runners that read it like npm", async () => {
  const files = { "home/.npmrc": "registry=https://npm.example/\n//npm.example/:_authToken=x\n# note\n" };
  for (const line of ["npx mcp-a", "pnpm dlx mcp-a", "bunx mcp-a"])
    expect(await findObstacle({ line, files })).toBeUndefined();
  expect(await findObstacle({ line: "yarn dlx mcp-a", files })).toContain("/home/.npmrc");
});

it.each([
  ["npx mcp-a", { files: { "home/project/node_modules/mcp-a/x": "" } }, "node_modules/mcp-a"],
  ["npx mcp-a", { files: { "home/project/.npmrc": "" } }, ".npmrc"],
  ["bunx mcp-a", { files: { "home/project/node_modules/.bin/mcp-a": "" } }, "bunx may start it instead"],
  ["bunx @b/mcp-a", { files: { "bin/mcp-a": "" } }, "bunx may start it instead"],
  ["bunx mcp-a", { files: { "home/project/bunfig.toml": "" } }, "bunfig.toml"],
  ["bunx mcp-a", { files: { "home/.bunfig.toml": "" } }, ".bunfig.toml"],
  ["bunx mcp-a", { env: { BUN_CONFIG_REGISTRY: "https://a.example" } }, "BUN_CONFIG_REGISTRY"],
  ["pnpm dlx mcp-a", { files: { "home/project/.npmrc": "" } }, ".npmrc"],
  ["pnpm dlx mcp-a", { files: { "home/project/pnpm-workspace.yaml": "" } }, "pnpm-workspace.yaml"],
  ["pnpm dlx mcp-a", { files: { "home/.config/pnpm/rc": "" } }, "pnpm/rc"],
  ["pnpm dlx mcp-a", { files: { "home/.npmrc": "minimum-release-age=1440" } }, "/home/.npmrc"],
  ["yarn dlx mcp-a", { files: { "home/.yarnrc.yml": "" } }, ".yarnrc.yml"],
  ["yarn dlx mcp-a", { env: { npm_config_registry: "https://a.example" } }, "npm_config_registry"],
  ["pipx run mcp-a", { files: { "home/.config/pip/pip.conf": "" } }, "pip.conf"],
  ["pipx run mcp-a", { env: { PIP_INDEX_URL: "https://a.example" } }, "PIP_INDEX_URL"],
  ["pipx run mcp-a", { env: { UV_INDEX_URL: "https://a.example" } }, "UV_INDEX_URL"],
] as const)("%s is started as written with %j", async (line, machine, reason) => {
  expect(await findObstacle({ line, ...machine })).toContain(reason);
});

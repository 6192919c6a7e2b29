// Plans how to start a server's command: what to install first, with which installer, and why a direct start may not be possible.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { LaunchMode, LaunchSummary, WiredDefinition } from "../../contracts/index.js";
import { type Environment, searchPathOf, toInstallerEnvironment } from "../child-environment.js";
import { findCommand } from "../find-command.js";
import { ownNode } from "./choose-node.js";
import type { NodeProgram } from "./fetch-queue.js";
import { findObstacle } from "./find-obstacle.js";
import { type PackageRecord, toPackageFolderName } from "./package-record.js";
import { isPinned, parseRunner, type RunnerCommand } from "./parse-runner.js";

export interface Plan {
  readonly runner: RunnerCommand;
  /** The folder of its record. */
  readonly folder: string;
  /** Why it is started as written. */
  readonly obstacle?: string | undefined;
  /** The full path of npm, uv, docker or podman. */
  readonly installer?: string | undefined;
  readonly runnerPath?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface PlanOptions {
  /** The folder of installed packages. */
  readonly folder: string;
  readonly mode: LaunchMode;
  readonly environment: Environment;
}

const installerNames = { npm: "npm", uv: "uv", container: undefined, other: undefined };

/** Returns undefined if the server does not use a package runner. */
export const planLaunch = async (
  { target, launch }: WiredDefinition,
  { environment, mode, folder }: PlanOptions,
): Promise<Plan | undefined> => {
  if (target.kind !== "stdio") return undefined;
  const runner = parseRunner(target.command, target.args);
  if (runner === undefined) return undefined;
  const env = toInstallerEnvironment(environment, target.env);
  const find = (command: string, nearby: readonly string[] = []) =>
    findCommand({ command, searchPath: [...nearby, ...searchPathOf(env)], environment });
  const runnerPath = await find(runner.command);
  const wanted = installerNames[runner.installer];
  // Use the npm next to npx: another one could have other settings.
  const nearby = runnerPath === undefined ? [] : [dirname(runnerPath)];
  const installer = wanted === undefined ? runnerPath : await find(wanted, nearby);
  const name = toPackageFolderName({ ...runner, env, defined: target.env });
  const plan = { runner, folder: join(folder, name), env, runnerPath, installer };
  const obstacle =
    ((launch ?? mode) === "as written" ? 'the setting "launch" says so' : undefined) ??
    runner.obstacle ??
    (installer === undefined
      ? `"${wanted ?? runner.command}" was not found`
      : await findObstacle({
          ...{ runner, env, installer },
          cwd: target.cwd ?? process.cwd(),
          home: env.HOME ?? env.USERPROFILE ?? homedir(),
          isRunnerThere: runnerPath !== undefined,
        }));
  return { ...plan, obstacle };
};

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** The folder that we fetched a package into, or npx's own folder for these packages. */
export const findInstallFolder = async ({
  runner,
  obstacle,
  folder,
  env,
}: Plan): Promise<string | undefined> => {
  if (obstacle === undefined) return (await isThere(folder)) ? folder : undefined;
  if (runner.installer !== "npm") return undefined;
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const defaultCache =
    process.platform === "win32"
      ? join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "npm-cache")
      : join(home, ".npm");
  // The same name that npx uses.
  const packages = runner.specs.toSorted((one, other) => one.localeCompare(other, "en")).join("\n");
  const name = createHash("sha512").update(packages).digest("hex").slice(0, 16);
  const path = join(env.npm_config_cache ?? defaultCache, "_npx", name);
  return (await isThere(path)) ? path : undefined;
};

export const summarize = (
  { runner, obstacle }: Plan,
  record: PackageRecord | undefined,
  node: NodeProgram | undefined,
): LaunchSummary => {
  const reason = obstacle ?? record?.obstacle;
  return {
    runner: runner.runner,
    mode: reason === undefined ? "direct" : "as written",
    reason,
    package:
      record === undefined
        ? undefined
        : { name: record.name, version: record.version, integrity: record.integrity, before: record.before },
    isPinned: isPinned(runner),
    isFetched: record !== undefined || obstacle !== undefined,
    node: node === undefined ? undefined : { ...node, isOwn: node.path === ownNode.path },
  };
};

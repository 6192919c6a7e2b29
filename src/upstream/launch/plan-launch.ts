// Plans how to start a server's command: what to install first, with which installer, and why a direct start may not be possible.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { LaunchMode, LaunchSummary, WiredDefinition } from "../../contracts/index.js";
import { type Environment, findCommand, searchPathOf, toInstallerEnvironment } from "../child-environment.js";
import { type NodeProgram, ownNode, type PackageRecord, toPackageFolderName } from "./package-record.js";
import { isPinned, parseRunner, type RunnerCommand, toPackageName } from "./parse-runner.js";

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
          runner,
          env,
          installer,
          cwd: target.cwd ?? process.cwd(),
          home: env.HOME ?? env.USERPROFILE ?? homedir(),
          isRunnerThere: runnerPath !== undefined,
        }));
  return { ...plan, obstacle };
};

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

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

const findFirst = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) if (await isThere(path)) return path;
  return undefined;
};

const listParents = (folder: string): readonly string[] => {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
};

/** Whether a project's package.json could be the package itself. */
const namesIt = async (folder: string, name: string, word: string): Promise<boolean> => {
  try {
    const { name: own, bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      readonly name?: unknown;
      readonly bin?: unknown;
    };
    return own === name || (typeof bin === "object" && bin !== null && Object.hasOwn(bin, word));
  } catch {
    return false;
  }
};

export interface ObstacleRequest {
  readonly runner: RunnerCommand;
  /** The folder that the server starts in. */
  readonly cwd: string;
  readonly home: string;
  /** The full path of the installer. */
  readonly installer: string;
  /** The installer's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** If undefined, variables that only the installer obeys do not matter. */
  readonly isRunnerThere: boolean;
}

/** npx and bunx prefer an installed package. */
const findInstalled = async ({
  runner,
  cwd,
  installer,
  env,
}: ObstacleRequest): Promise<string | undefined> => {
  for (const spec of runner.specs) {
    const name = toPackageName(spec);
    const words = spec === name ? [spec] : [];
    const local = listParents(cwd).flatMap((folder) => {
      const modules = join(folder, "node_modules");
      return [join(modules, name), ...words.map((word) => join(modules, ".bin", word))];
    });
    const bins = dirname(installer);
    const globals =
      runner.runner === "bunx"
        ? words.flatMap((word) =>
            searchPathOf(env).map((folder) => join(folder, word.replace(/^@[^/]*\//, ""))),
          )
        : [
            join(bins, "..", "lib", "node_modules", name),
            join(bins, "node_modules", name),
            ...words.filter((word) => !word.includes("/")).map((word) => join(bins, word)),
          ];
    const found = await findFirst([...local, ...globals]);
    if (found !== undefined) return `"${found}" exists: ${runner.runner} may start it instead`;
  }
  return undefined;
};

const findProject = async (parents: readonly string[]): Promise<string> => {
  for (const folder of parents)
    if ((await isThere(join(folder, "package.json"))) || (await isThere(join(folder, "node_modules"))))
      return folder;
  return parents[0] ?? ".";
};

const decides = (path: string): string => `"${path}" may change where packages come from`;

const findNpxObstacle = async (request: ObstacleRequest): Promise<string | undefined> => {
  const { runner, cwd, home } = request;
  const installed = await findInstalled(request);
  if (installed !== undefined) return installed;
  // npm reads a project's settings from the nearest project folder, else from the working folder.
  const project = await findProject(listParents(cwd));
  const [spec = ""] = runner.specs;
  if (await namesIt(project, toPackageName(spec), spec)) return `"${project}" is a package of that name`;
  const settings = join(project, ".npmrc");
  return project !== home && (await isThere(settings)) ? decides(settings) : undefined;
};

interface Settings {
  /** Files in the working folder or a parent. */
  readonly project: readonly string[];
  /** Files below the home folder or the configuration folder. */
  readonly personal: readonly string[];
  readonly configured: readonly string[];
  /** Variables that it obeys and the installer does not. */
  readonly variables: RegExp;
  /** Variables that the installer obeys and it does not. */
  readonly foreign?: RegExp | undefined;
}

/** The settings of runners that we replace with npm or uv. */
const settings: Readonly<Record<string, Settings>> = {
  "pnpm dlx": {
    project: [".npmrc", "pnpm-workspace.yaml", ".pnpmfile.cjs", ".pnpmfile.mjs"],
    personal: ["Library/Preferences/pnpm/rc", "Library/Preferences/pnpm/config.yaml"],
    configured: ["pnpm/rc", "pnpm/config.yaml"],
    variables: /^pnpm_/i,
  },
  "yarn dlx": {
    project: [".yarnrc.yml"],
    personal: [".yarnrc.yml"],
    configured: [],
    variables: /^yarn_/i,
    foreign: /^npm_config_.*registry$/i,
  },
  bunx: {
    project: ["bunfig.toml", ".npmrc"],
    personal: [".bunfig.toml"],
    configured: [".bunfig.toml"],
    variables: /^bun_/i,
  },
  "pipx run": {
    project: [],
    personal: [".pip/pip.conf", "Library/Application Support/pip/pip.conf"],
    configured: ["pip/pip.conf", "uv/uv.toml"],
    variables: /^(?:pipx_|pip_.*index)/i,
    foreign: /^uv_.*index/i,
  },
};

/** npm and the other runners read these lines of the user's .npmrc in the same way. */
const isShared = (line: string): boolean => {
  const name = line.split("=", 1)[0]?.trim() ?? "";
  return (
    /^(?:$|[;#]|\/\/|@)/.test(name) ||
    ["registry", "strict-ssl", "cafile", "proxy", "https-proxy", "noproxy", "email"].includes(name)
  );
};

const findOtherObstacle = async (
  request: ObstacleRequest,
  { project, personal, configured, variables, foreign }: Settings,
): Promise<string | undefined> => {
  const { runner, cwd, home, env, isRunnerThere } = request;
  const installed = runner.runner === "bunx" ? await findInstalled(request) : undefined;
  if (installed !== undefined) return installed;
  const above = listParents(cwd).filter((folder) => folder !== home);
  const found = await findFirst([
    ...above.flatMap((folder) => project.map((name) => join(folder, name))),
    ...personal.map((name) => join(home, name)),
    ...configured.map((name) => join(env.XDG_CONFIG_HOME ?? join(home, ".config"), name)),
  ]);
  if (found !== undefined) return decides(found);
  const variable = Object.keys(env).find(
    (name) => variables.test(name) || (isRunnerThere && foreign?.test(name) === true),
  );
  if (variable !== undefined) return `the variable "${variable}" may change where packages come from`;
  if (runner.installer !== "npm" || !isRunnerThere) return undefined;
  const own = join(home, ".npmrc");
  const text = await readFile(own, "utf8").catch(() => undefined);
  const isAlike = text === undefined || (foreign === undefined && text.split("\n").every(isShared));
  return isAlike ? undefined : decides(own);
};

/** Returns undefined if the runner would use the registry's package, with settings that the installer obeys too. */
const findObstacle = async (request: ObstacleRequest): Promise<string | undefined> => {
  const { runner } = request;
  const own = Object.hasOwn(settings, runner.runner) ? settings[runner.runner] : undefined;
  if (own !== undefined) return findOtherObstacle(request, own);
  return runner.installer === "npm" ? findNpxObstacle(request) : undefined;
};

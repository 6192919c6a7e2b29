// Resolves a server's command to the program to start: fetches packages first, then starts their programs directly.
import { rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type FetchProgress,
  type LaunchMode,
  type LaunchSummary,
  type StdioTarget,
  type WiredDefinition,
  withinTime,
} from "../../contracts/index.js";
import {
  type Environment,
  findCommand,
  searchPathOf,
  toChildEnvironment,
  toRunnerEnvironment,
  withSearchPath,
} from "../child-environment.js";
import type { StartFacts } from "../diagnose-start.js";
import { openStartGate, type StartGate } from "../server-start.js";
import { type FetchJob, FetchQueue } from "./fetch-queue.js";
import {
  chooseNode,
  findUnmet,
  inspectNode,
  type NodeProgram,
  ownNode,
  type PackageRecord,
  readRecord,
  toMajor,
  writeRecord,
} from "./package-record.js";
import { isPinned } from "./parse-runner.js";
import { findInstallFolder, type Plan, planLaunch, summarize } from "./plan-launch.js";

export interface LauncherOptions {
  /** The folder of installed packages. */
  readonly folder: string;
  /** The program of the fetching process. */
  readonly fetcher: string;
  readonly mode: LaunchMode;
  readonly environment: Environment;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
}

/** The program to start, and how. */
export interface Launch {
  readonly target: StdioTarget;
  readonly env: Record<string, string>;
  /** Folders to prepend to the search path. */
  readonly firstPaths: readonly string[];
  /** Folders to append: where the runner was found. */
  readonly lastPaths: readonly string[];
  readonly summary?: LaunchSummary | undefined;
  /** Facts about its package for the diagnosis of a failed start. */
  readonly readInstalled?: (() => Promise<InstalledFacts>) | undefined;
  /** Its start may install something, so it gets the timeout of a fetch, and only one per installer starts at a time. */
  readonly first?: { readonly gate: StartGate; readonly noteStarted: () => Promise<void> } | undefined;
}

export type InstalledFacts = Pick<StartFacts, "package" | "installFolder" | "node">;

export interface PrepareOptions {
  readonly fetchTimeoutMs: number;
  readonly signal: AbortSignal;
  /** A caller waits for this server. */
  readonly isUrgent: boolean;
  /** Called if a fetch is needed first. */
  readonly onInstalling: () => void;
  /** Resolve names, ranges and tags now. */
  readonly isRefreshed?: boolean | undefined;
}

/** How long a command that may install something blocks other starts of its runner. */
const maxFirstHeldMs = 10_000;

/** How long a resolved name, range or tag stays valid. */
const resolvedForMs = 24 * 60 * 60 * 1000;

export class Launcher {
  readonly #options: LauncherOptions;
  readonly #queue: FetchQueue;
  readonly #gates = new Map<string, StartGate>();
  /** Package folders in use by servers of this process. */
  readonly #used = new Set<string>();
  #touchTimer: NodeJS.Timeout | undefined;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#queue = new FetchQueue(options.fetcher, (progress) => options.onProgress?.(progress));
  }

  get progress(): FetchProgress {
    return this.#queue.progress;
  }

  /** Plans how a server would be started, without fetching anything. */
  async describe(definition: WiredDefinition): Promise<LaunchSummary | undefined> {
    const plan = await planLaunch(definition, this.#options);
    if (plan === undefined) return undefined;
    const record = plan.obstacle === undefined ? await readRecord(plan.folder) : undefined;
    return summarize(plan, record, record === undefined ? undefined : await this.#chooseFor(plan, record));
  }

  /** Fetches what is missing and returns what to start; undefined for a remote server. */
  async prepare(definition: WiredDefinition, options: PrepareOptions): Promise<Launch | undefined> {
    const { target } = definition;
    if (target.kind !== "stdio") return undefined;
    const plan = await planLaunch(definition, this.#options);
    const { environment } = this.#options;
    const env = toChildEnvironment(environment, target.env);
    if (plan === undefined) return { target, env, firstPaths: [], lastPaths: [] };
    const { runner, runnerPath } = plan;
    const lastPaths = runnerPath === undefined ? [] : [dirname(runnerPath)];
    const record = await this.#readOrFetch(definition.name, plan, options);
    if (plan.obstacle !== undefined || record?.folder === undefined || record.file === undefined) {
      const first = await this.#findFirst(plan);
      const summary = summarize(plan, record, undefined);
      const runnerEnv = toRunnerEnvironment(environment, target.env);
      const readInstalled = async (): Promise<InstalledFacts> => ({
        package: runner.specs[0],
        installFolder: await findInstallFolder(plan),
      });
      return { target, env: runnerEnv, firstPaths: [], lastPaths, first, summary, readInstalled };
    }
    const file = join(record.folder, record.file);
    this.#markUsed(record.folder);
    const node = await this.#chooseFor(plan, record);
    const bins = runner.installer === "npm" ? [join(record.folder, "node_modules", ".bin")] : [];
    const [command, ...args] = node === undefined ? [file] : [node.path, ...(record.nodeFlags ?? []), file];
    return {
      env,
      target: { ...target, command: command ?? file, args: [...args, ...runner.args] },
      firstPaths: [...bins, ...(node?.path === ownNode.path ? [dirname(node.path)] : [])],
      lastPaths,
      summary: summarize(plan, record, node),
      readInstalled: async () => {
        const required = node === undefined ? undefined : await findUnmet(record.engines ?? [], node);
        return {
          package: runner.specs[0],
          installFolder: plan.folder,
          node:
            node === undefined || required === undefined ? undefined : { version: node.version, required },
        };
      },
    };
  }

  /** Removes a server's installed package and returns its folder; undefined if there is none. */
  async removeInstalled(definition: WiredDefinition): Promise<string | undefined> {
    const plan = await planLaunch(definition, this.#options);
    const folder = plan === undefined ? undefined : await findInstallFolder(plan);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    return folder;
  }

  close(): void {
    clearInterval(this.#touchTimer);
    this.#queue.close();
  }

  /** Marks a package as in use, so that neither its version nor the package is removed. */
  #markUsed(folder: string): void {
    const touch = (used: string): void => void utimes(used, new Date(), new Date()).catch(() => {});
    this.#used.add(folder);
    this.#touchTimer ??= setInterval(() => this.#used.forEach(touch), resolvedForMs).unref();
    touch(folder);
  }

  async #readOrFetch(
    server: string,
    plan: Plan,
    options: PrepareOptions,
  ): Promise<PackageRecord | undefined> {
    const { runner, obstacle, installer: command } = plan;
    const { installer, specs, bin, flags, leavesScripts } = runner;
    if (obstacle !== undefined || command === undefined || installer === "other") return undefined;
    const { isUrgent, isRefreshed, fetchTimeoutMs, signal, onInstalling } = options;
    const fetch = async (more: Partial<FetchJob>): Promise<PackageRecord> => {
      const nodes =
        installer === "npm" ? { machine: await this.#findMachineNode(plan), own: ownNode } : undefined;
      // npm needs a Node on the search path, which may have none.
      const env = withSearchPath(
        { ...plan.env },
        nodes === undefined ? [] : [dirname((nodes.machine ?? nodes.own).path)],
      );
      const { folder } = plan;
      const job = { installer, specs, bin, flags, leavesScripts, command, env, folder, nodes };
      return this.#queue.fetch(server, { ...job, timeoutMs: fetchTimeoutMs, ...more }, isUrgent);
    };
    const wait = (fetching: Promise<PackageRecord>): Promise<PackageRecord> => {
      onInstalling();
      return withinTime(fetching, { signal });
    };
    const nowMs = Date.now();
    const known = await readRecord(plan.folder);
    if (known === undefined) return wait(fetch({}));
    if (isRefreshed === true) return wait(fetch({ refreshBeforeMs: nowMs }));
    const node = known.builtFor === undefined ? undefined : await this.#chooseFor(plan, known);
    if (node !== undefined && toMajor(node.version) !== known.builtFor)
      return wait(fetch({ refreshBeforeMs: nowMs, isRebuilt: true }));
    // Look for updates in the background: they are used at the next start.
    if (!isPinned(runner) && nowMs - known.resolvedAtMs > resolvedForMs)
      void fetch({ refreshBeforeMs: nowMs - resolvedForMs }).catch(() => {});
    return known;
  }

  async #findMachineNode({ env }: Plan): Promise<NodeProgram | undefined> {
    const path = await findCommand({ command: "node", searchPath: searchPathOf(env), environment: env });
    return path === undefined ? undefined : inspectNode(path);
  }

  /** The Node that starts it; undefined if it is an executable. */
  async #chooseFor(plan: Plan, { engines = [], nodeFlags }: PackageRecord): Promise<NodeProgram | undefined> {
    if (nodeFlags === undefined) return undefined;
    return chooseNode(engines, { machine: await this.#findMachineNode(plan), own: ownNode });
  }

  /** A command that was started as written lately has already installed what it needs or pulled its image. */
  async #findFirst({ runner, obstacle, folder: fetched }: Plan): Promise<Launch["first"]> {
    if (obstacle === undefined && runner.installer === "container") return undefined;
    // Separate from the records of direct starts: neither says anything about the other.
    const folder = `${fetched}-as-written`;
    const record = await readRecord(folder);
    const isYoung = record !== undefined && Date.now() - record.resolvedAtMs < resolvedForMs;
    if (record !== undefined && (isYoung || isPinned(runner))) return undefined;
    const gate = this.#gates.get(runner.runner) ?? openStartGate(1, maxFirstHeldMs);
    this.#gates.set(runner.runner, gate);
    const noteStarted = (): Promise<void> =>
      writeRecord(folder, { name: runner.specs[0] ?? "", version: "", resolvedAtMs: Date.now() }).catch(
        () => {},
      );
    return { gate, noteStarted };
  }
}

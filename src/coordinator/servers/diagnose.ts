// Checks everything a program depends on: the configuration, each server, each sandbox with a real self-test, the machine.

import { findPythonTypeChecker } from "../../checker/index.js";
import {
  CoordinatorError,
  describeIgnoredPolicy,
  type ExecutorReport,
  type Language,
  toCoordinatorError,
  type UntrustedItem,
  withinTime,
} from "../../contracts/index.js";
import { inspectRuntimes, selfTest } from "../../executors/index.js";
import { inspectFolder } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { checkApprovals } from "../policies/check-policies.js";
import { withOwnCommand } from "../presenting/command-line.js";
import { listProblems, listVaultProblems } from "./list-problems.js";
import { listServers, type ServerSummary } from "./list-servers.js";
import { listWaiting } from "./pinned-tools.js";

/** Whether a sandbox works here, with the results of its self-test. */
export interface ExecutorDiagnosis extends ExecutorReport {
  readonly name: string;
  /** The languages it can run here. */
  readonly languages: readonly Language[];
  /** The results of its self-test. */
  readonly checks: readonly {
    readonly what: string;
    readonly language: Language;
    readonly isPassed: boolean;
    readonly found: string;
  }[];
}

/** Whether a server starts and lists its tools, and why not. */
export interface ServerDiagnosis extends ServerSummary {
  /** From the server's start until its tools were listed. */
  readonly durationMs?: number | undefined;
  /** The last lines of stderr, if it failed. */
  readonly stderr?: string | undefined;
  /** Its installed package is damaged. `repairServer` removes it. */
  readonly isDamaged?: boolean | undefined;
}

/** A problem and the step that fixes it. */
export interface DiagnosedProblem {
  /** The subject, e.g. `server github`. */
  readonly subject: string;
  readonly problem: string;
  readonly fix: string;
  /** The line of a configuration file with a caret below the mistake, for the person at the terminal. */
  readonly pointer?: string | undefined;
  /** True if it breaks something, false if it is only worth knowing. */
  readonly isSerious: boolean;
}

/** The size of one of our folders and whether it is writable. */
export interface FolderDiagnosis {
  readonly what: "cache" | "state";
  readonly path: string;
  readonly isWritable: boolean;
  readonly bytes: number;
  /** False: the folder contains more than `bytes`, because counting stopped at a limit. */
  readonly isCounted: boolean;
  readonly freeBytes?: number | undefined;
}

/** A program that sandboxes need: whether it is installed, and how to install it. */
export interface RuntimeDiagnosis {
  readonly what: "node" | "python" | "type checker" | "container";
  /** Path or name, with version. Absent if not installed. */
  readonly found?: string | undefined;
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
}

/** Progress of the servers. */
export interface DiagnoseProgress {
  readonly done: number;
  readonly total: number;
  /** Servers that have neither answered nor failed. */
  readonly waiting: readonly string[];
}

/** What `diagnose` reports while it works, and problems that it includes. */
export interface DiagnoseRequest {
  /** Called when a server has answered or failed. */
  readonly onProgress?: ((progress: DiagnoseProgress) => void) | undefined;
  /** Problems known in advance, e.g. a configuration that cannot be read. */
  readonly problems?: readonly CoordinatorError[] | undefined;
}

/** Everything that `diagnose` found about servers, sandboxes, runtimes and folders. */
export interface Diagnosis {
  /** Every server answers, TypeScript runs, every sandbox holds, and the store is writable. */
  readonly isHealthy: boolean;
  readonly node: string;
  readonly sources: readonly string[];
  /** The problems, most serious first. */
  readonly problems: readonly DiagnosedProblem[];
  readonly servers: readonly ServerDiagnosis[];
  readonly untrusted: readonly UntrustedItem[];
  readonly sandboxes: readonly ExecutorDiagnosis[];
  /** The sandbox of each language, and the reason. */
  readonly chosen: readonly {
    readonly language: Language;
    readonly executor?: string | undefined;
    readonly reason: string;
  }[];
  readonly runtimes: readonly RuntimeDiagnosis[];
  readonly folders: readonly FolderDiagnosis[];
}

/** How long sandbox self-tests wait for servers. Starting servers would slow the self-tests down. */
const maxQuietMs = 5000;

const readDetails = (details: unknown): Pick<ServerDiagnosis, "stderr" | "isDamaged"> => {
  const { stderr, reason } = (details ?? {}) as { readonly stderr?: unknown; readonly reason?: unknown };
  return {
    stderr: typeof stderr === "string" && stderr.trim() !== "" ? stderr.trim() : undefined,
    isDamaged: reason === "installation-damaged" || undefined,
  };
};

/** Stop waiting for servers after this long without an answer, a failure or an installation. */
const maxSilenceMs = 10_000;

/** Waits until every server has answered or failed, or nothing happens any longer. */
const waitForServers = async (
  { upstreams }: Host,
  trying: Promise<unknown>,
  waiting: ReadonlySet<string>,
): Promise<void> => {
  const isInstalling = (): boolean =>
    [...waiting].some((name) => upstreams.status(name).state === "installing");
  for (;;) {
    const [count, wasInstalling] = [waiting.size, isInstalling()];
    await withinTime(trying, { timeMs: maxSilenceMs }).catch(() => {});
    if (waiting.size === 0 || (waiting.size === count && !wasInstalling && !isInstalling())) return;
  }
};

/** The state of a server that has neither answered nor failed. */
const toOverdue = async (host: Host, name: string): Promise<readonly ServerDiagnosis[]> => {
  host.upstreams.markOverdue(name);
  const { stderrTail } = host.upstreams.status(name);
  const error = new CoordinatorError(
    "UPSTREAM_TIMEOUT",
    `Cannot start "${name}": it runs and has not answered within ${maxSilenceMs} ms`,
    {
      hint: `Run its command by hand to see what it waits for. If it is only slow, "mcp-coordinator servers --connect" waits for it as long as "connectTimeoutMs" says.`,
    },
  );
  return (await listServers(host, { only: name })).map((server) => ({
    ...server,
    status: "failed",
    error,
    ...readDetails({ stderr: stderrTail }),
  }));
};

/** Starts all servers at once, up to the limit of concurrent starts, and ignores earlier failures. */
const tryServers = async (
  host: Host,
  onProgress: DiagnoseRequest["onProgress"],
): Promise<readonly ServerDiagnosis[]> => {
  const { servers } = host.configuration;
  const waiting = new Set(servers.map(({ name }) => name));
  const found = new Map<string, readonly ServerDiagnosis[]>();
  const trying = servers.map(async ({ name, isEnabled }): Promise<void> => {
    const startedAt = performance.now();
    await host.upstreams.forgetFailures(name);
    const summaries = await listServers(host, { connect: true, only: name });
    const durationMs = isEnabled ? Math.round(performance.now() - startedAt) : undefined;
    found.set(
      name,
      summaries.map((server) => ({ ...server, durationMs, ...readDetails(server.error?.details) })),
    );
    waiting.delete(name);
    onProgress?.({ done: servers.length - waiting.size, total: servers.length, waiting: [...waiting] });
  });
  await waitForServers(host, Promise.all(trying), waiting);
  const answers = servers.map(({ name }) => found.get(name) ?? toOverdue(host, name));
  return (await Promise.all(answers)).flat();
};

const trySandboxes = async ({ configuration, executors }: Host): Promise<readonly ExecutorDiagnosis[]> => {
  const sandboxes: ExecutorDiagnosis[] = [];
  // One at a time, so that a self-test under load does not slow another down.
  for (const { executor, report } of await executors.inspect()) {
    const checks = report.isAvailable
      ? await selfTest(executor, configuration.settings.limits).catch(
          (thrown: unknown) => toCoordinatorError(thrown).message,
        )
      : [];
    const { fix, languages = executor.languages, ...facts } = await executor.inspect();
    sandboxes.push({
      name: executor.name,
      languages,
      ...facts,
      fix: fix === undefined ? undefined : withOwnCommand(fix),
      ...(typeof checks === "string" ? { isAvailable: false, reason: checks, checks: [] } : { checks }),
    });
  }
  return sandboxes;
};

const chooseSandboxes = ({ executors }: Host): Promise<Diagnosis["chosen"]> =>
  Promise.all(
    (["typescript", "python"] as const).map(async (language) => {
      try {
        const { executor, reason } = await executors.choose(language);
        return { language, executor: executor.name, reason };
      } catch (thrown) {
        return { language, reason: toCoordinatorError(thrown).message };
      }
    }),
  );

const inspectMachine = async (host: Host): Promise<readonly RuntimeDiagnosis[]> => {
  const { settings } = host.configuration;
  const [others, typeChecker] = await Promise.all([
    inspectRuntimes(settings),
    findPythonTypeChecker(settings.python),
  ]);
  return [
    { what: "node", found: `${process.execPath}, ${process.versions.node}` },
    ...others.map(({ what, found, problem }) => ({
      what,
      found,
      reason: problem?.message.replace(/^Cannot start the sandbox "[^"]*": /, ""),
      fix: problem?.hint,
    })),
    ...(typeChecker === undefined
      ? []
      : [{ what: "type checker" as const, found: `${typeChecker} (for Python, experimental)` }]),
  ];
};

const inspectFolders = ({ configuration: { settings } }: Host): Promise<readonly FolderDiagnosis[]> =>
  Promise.all(
    (
      [
        ["cache", settings.cacheFolder],
        ["state", settings.stateFolder],
      ] as const
    ).map(async ([what, path]) => ({ what, ...(await inspectFolder(path)) })),
  );

export const diagnose = async (host: Host, request: DiagnoseRequest = {}): Promise<Diagnosis> => {
  const { configuration } = host;
  const { sources, untrusted } = configuration;
  const trying = tryServers(host, request.onProgress);
  const [folders, runtimes] = await Promise.all([inspectFolders(host), inspectMachine(host)]);
  await withinTime(trying, { timeMs: maxQuietMs }).catch(() => {});
  const sandboxes = await trySandboxes(host);
  const chosen = await chooseSandboxes(host);
  const servers = await trying;
  const found = { servers, sandboxes, chosen, folders, untrusted };
  const unmatched = await checkApprovals(host);
  const vault = await host.vault.describe().catch(() => undefined);
  const problems = [
    ...listProblems(request, host.trustCommand, unmatched, found, configuration.settings),
    ...listVaultProblems(vault),
    ...(configuration.ignoredPolicies ?? []).map((file) => ({
      subject: "policy",
      ...describeIgnoredPolicy(file),
      isSerious: false,
    })),
    ...(await listWaiting(host)).map(({ server, problem, fix }) => ({
      subject: `server ${server}`,
      problem,
      fix,
      isSerious: false,
    })),
  ].map((problem) => ({ ...problem, fix: withOwnCommand(problem.fix) }));
  return {
    isHealthy: problems.every(({ isSerious }) => !isSerious),
    node: process.versions.node,
    sources,
    problems: problems.toSorted((one, other) => Number(other.isSerious) - Number(one.isSerious)),
    servers,
    untrusted,
    sandboxes,
    chosen,
    runtimes,
    folders,
  };
};

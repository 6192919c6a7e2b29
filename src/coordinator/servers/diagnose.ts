// Checks everything a program depends on: the configuration, each server, each sandbox with a real self-test, the machine.
import { CoordinatorError, type Settings, toCoordinatorError } from "../../contracts/index.js";
import { inspectRuntimes, selfTest } from "../../executors/index.js";
import { inspectFolder } from "../../store/index.js";
import { withinTime } from "../../upstream/index.js";
import { checkApprovals } from "../checks/check-approvals.js";
import type { Host } from "../host/host.js";
import { toLibrariesFix } from "../runs/python-libraries.js";
import { withOwnCommand } from "../setup/own-command.js";
import type {
  DiagnosedProblem,
  DiagnoseRequest,
  Diagnosis,
  ExecutorDiagnosis,
  FolderDiagnosis,
  RuntimeDiagnosis,
  ServerDiagnosis,
} from "./diagnosis.js";
import { listServers } from "./list-servers.js";

/** Below this, a run's files may not fit. */
const minFreeBytes = 200 * 1024 * 1024;

/** How long sandbox self-tests wait for servers. Starting servers would slow the self-tests down. */
const maxQuietMs = 5000;

const readDetails = (details: unknown): Pick<ServerDiagnosis, "stderr" | "isDamaged"> => {
  const { stderr, reason } = (details ?? {}) as { readonly stderr?: unknown; readonly reason?: unknown };
  return {
    ...(typeof stderr === "string" && stderr.trim() !== "" ? { stderr: stderr.trim() } : {}),
    ...(reason === "installation-damaged" ? { isDamaged: true } : {}),
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
      hint: `Run its command by hand to see what it waits for. If it is only slow, "mcp-coordinator servers --connect" waits for it as long as "connectTimeoutMs" says`,
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
    const durationMs = Math.round(performance.now() - startedAt);
    const facts = isEnabled ? { durationMs } : {};
    found.set(
      name,
      summaries.map((server) => ({ ...server, ...facts, ...readDetails(server.error?.details) })),
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
  const others = await inspectRuntimes(host.configuration.settings);
  return [
    { what: "node", found: `${process.execPath}, ${process.versions.node}` },
    ...others.map(({ what, found, problem }) => ({
      what,
      ...(found === undefined ? {} : { found }),
      ...(problem === undefined
        ? {}
        : { reason: problem.message.replace(/^Cannot start the sandbox "[^"]*": /, ""), fix: problem.hint }),
    })),
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

/** The sandboxes that programs use. */
const listLacks = (
  { sandboxes, chosen }: Pick<Diagnosis, "sandboxes" | "chosen">,
  settings: Settings,
): readonly DiagnosedProblem[] =>
  chosen.flatMap(({ language, executor }) => {
    const missing = sandboxes.find(({ name }) => name === executor)?.missingLibraries ?? [];
    if (language !== "python" || missing.length === 0) return [];
    return [
      {
        subject: "python",
        problem: `Python programs cannot import ${missing.join(", ")}`,
        fix: toLibrariesFix(executor, settings),
        isSerious: false,
      },
    ];
  });

const listProblems = (
  { problems = [] }: DiagnoseRequest,
  trustCommand: () => string,
  unmatched: readonly string[],
  found: Pick<Diagnosis, "servers" | "sandboxes" | "chosen" | "folders" | "untrusted">,
  settings: Settings,
): readonly DiagnosedProblem[] => [
  ...unmatched.map((problem) => ({
    subject: "configuration",
    problem,
    fix: 'Correct the rule in "coordinator": { "approve" }: as written, it never applies.',
    isSerious: false,
  })),
  ...problems.map(({ message, hint }) => ({
    subject: "configuration",
    problem: message,
    fix: hint,
    isSerious: true,
  })),
  ...found.servers.flatMap(({ name, error }) =>
    error === undefined
      ? []
      : [{ subject: `server ${name}`, problem: error.message, fix: error.hint, isSerious: true }],
  ),
  ...found.servers.flatMap(({ name, warnings = [] }) =>
    warnings.map((warning) => ({
      subject: `server ${name}`,
      problem: `The server "${name}" offers more than is used: ${warning}`,
      fix: "Configure the server to offer less, or report it to its author.",
      isSerious: false,
    })),
  ),
  ...found.untrusted
    .filter(({ kind }) => kind !== "server")
    .map(({ file, written }) => ({
      subject: "configuration",
      problem: `"${file}" is not trusted yet: ${written}`,
      fix: `Look at it and decide, with: ${trustCommand()}`,
      isSerious: false,
    })),
  ...found.sandboxes.flatMap(({ name, checks }) =>
    checks
      .filter(({ isPassed }) => !isPassed)
      .map(({ what, language, found: seen }) => ({
        subject: `sandbox ${name}`,
        problem: `${language} ${what}: ${seen}`,
        fix: 'Choose another one: "coordinator": { "executor" }.',
        isSerious: true,
      })),
  ),
  ...found.chosen
    .filter(({ executor }) => executor === undefined)
    .map(({ language, reason }) => ({
      subject: language,
      problem: reason,
      fix:
        found.sandboxes.find(({ languages, fix }) => languages.includes(language) && fix !== undefined)
          ?.fix ?? "",
      isSerious: settings.executor !== "auto" || language === "typescript",
    })),
  ...listLacks(found, settings),
  ...found.folders.flatMap(({ what, path, isWritable, freeBytes }) => {
    const subject = `${what} folder`;
    const setting = `"coordinator": { "${what}Folder" }`;
    if (!isWritable)
      return [
        {
          subject,
          problem: `"${path}" cannot be written`,
          fix: `Make it writable, or configure another: ${setting}.`,
          isSerious: true,
        },
      ];
    return freeBytes !== undefined && freeBytes < minFreeBytes
      ? [
          {
            subject,
            problem: `The disk of "${path}" is almost full`,
            fix: `Free some space, or configure another: ${setting}.`,
            isSerious: false,
          },
        ]
      : [];
  }),
];

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
  const problems = listProblems(request, host.trustCommand, unmatched, found, configuration.settings).map(
    (problem) => ({ ...problem, fix: withOwnCommand(problem.fix) }),
  );
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

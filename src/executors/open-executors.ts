// Chooses a sandbox: by name, or the strongest one that needs no setup.
import {
  CoordinatorError,
  type Executor,
  type ExecutorName,
  type ExecutorReport,
  type ExecutorStatistics,
  type GuestJob,
  type GuestOutcome,
  type Language,
  type Limits,
  type SessionFacts,
  type Settings,
} from "../contracts/index.js";
import { openContainerExecutor } from "./engines/container/container.js";
import { openPythonExecutor } from "./engines/python/python.js";
import { openPythonLiteExecutor } from "./engines/python-lite.js";
import { openIsolateExecutor, openWasmExecutor } from "./engines/typescript.js";

export interface ExecutorsOptions {
  readonly limits: Limits;
  readonly settings: Pick<Settings, "executor" | "jitless" | "python" | "container" | "cacheFolder">;
}

export interface ExecutorChoice {
  readonly executor: Executor;
  /** Why this one was chosen. */
  readonly reason: string;
}

export interface Executors {
  /** The sandbox for a language: the requested one, or the best available. Throws if it cannot run here. */
  readonly choose: (language: Language, wanted?: "auto" | ExecutorName) => Promise<ExecutorChoice>;
  readonly run: (job: GuestJob, wanted?: "auto" | ExecutorName) => Promise<GuestOutcome>;
  /** Every executor with its report, including unavailable ones. */
  readonly inspect: () => Promise<
    readonly { readonly executor: Executor; readonly report: ExecutorReport }[]
  >;
  /** Starts the TypeScript sandbox in advance. */
  readonly warm: () => Promise<void>;
  readonly statistics: () => ExecutorStatistics;
  readonly sessions: () => readonly SessionFacts[];
  readonly resetSession: (name: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

type Open = (options: ExecutorsOptions) => Executor;

const openers: Readonly<Record<ExecutorName, Open>> = {
  isolate: ({ limits, settings }) => openIsolateExecutor({ limits, jitless: settings.jitless }),
  wasm: ({ limits }) => openWasmExecutor({ limits }),
  python: ({ limits, settings }) => openPythonExecutor({ limits, ...settings.python }),
  "python-lite": ({ limits, settings }) =>
    openPythonLiteExecutor({
      limits,
      cacheFolder: settings.cacheFolder === "" ? undefined : settings.cacheFolder,
    }),
  container: ({ limits, settings }) => openContainerExecutor({ limits, ...settings.container }),
};

/** What "auto" tries: the sandboxes that need no setup, strongest first. */
const automatic: Readonly<Record<Language, readonly ExecutorName[]>> = {
  typescript: ["isolate", "wasm"],
  python: ["python", "python-lite"],
};

/** No sandbox is started before it is needed. */
export const openExecutors = (options: ExecutorsOptions): Executors => {
  const opened = new Map<ExecutorName, Executor>();
  const open = (name: ExecutorName): Executor => {
    const executor = opened.get(name) ?? openers[name](options);
    opened.set(name, executor);
    return executor;
  };

  const chooseNamed = async (name: ExecutorName, language: Language): Promise<ExecutorChoice | undefined> => {
    const executor = open(name);
    if (!executor.languages.includes(language)) return undefined;
    const { isAvailable, reason, fix, languages = executor.languages } = await executor.inspect();
    if (isAvailable && languages.includes(language))
      return { executor, reason: `"${name}" is what the configuration asks for` };
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot use the sandbox "${name}": ${reason ?? "it cannot run here"}`,
      { hint: fix },
    );
  };

  const chooseAutomatically = async (language: Language): Promise<ExecutorChoice> => {
    const reasons: string[] = [];
    for (const name of automatic[language]) {
      const executor = open(name);
      const { isAvailable, reason } = await executor.inspect();
      if (isAvailable) {
        const because =
          reasons.length === 0 ? "the strongest that needs no setup" : `the next best: ${reasons.join("; ")}`;
        return { executor, reason: `"${name}" is ${because}` };
      }
      reasons.push(`"${name}" cannot run: ${reason ?? "unknown"}`);
    }
    throw new CoordinatorError("LANGUAGE_UNAVAILABLE", `Cannot run ${language} here: ${reasons.join("; ")}`, {
      hint: 'Run "mcp-coordinator doctor" to see what each sandbox lacks and how to get it.',
    });
  };

  const choices = new Map<string, Promise<ExecutorChoice>>();
  const choose: Executors["choose"] = (language, wanted = options.settings.executor) => {
    const key = `${language} ${wanted}`;
    let choice = choices.get(key);
    if (choice === undefined) {
      choice = (async () =>
        (wanted === "auto" ? undefined : await chooseNamed(wanted, language)) ??
        chooseAutomatically(language))();
      choices.set(key, choice);
      // Failures are not cached: a package may be installed or an image built later.
      choice.catch(() => choices.delete(key));
    }
    return choice;
  };

  const sum = (read: (one: ExecutorStatistics) => number): number =>
    [...opened.values()].reduce((total, executor) => total + read(executor.statistics()), 0);
  return {
    choose,
    run: async (job, wanted) => (await choose(job.language, wanted)).executor.run(job),
    inspect: () =>
      Promise.all(
        (Object.keys(openers) as ExecutorName[]).map(async (name) => {
          const executor = open(name);
          return { executor, report: await executor.inspect() };
        }),
      ),
    warm: async () => (await choose("typescript")).executor.warm(),
    statistics: () => ({
      activeRuns: sum((one) => one.activeRuns),
      waitingRuns: sum((one) => one.waitingRuns),
      processes: sum((one) => one.processes),
    }),
    sessions: () => [...opened.values()].flatMap((executor) => executor.sessions()),
    resetSession: async (name) =>
      (await Promise.all([...opened.values()].map((executor) => executor.resetSession(name)))).includes(true),
    close: async () => {
      await Promise.all([...opened.values()].map((executor) => executor.close()));
    },
  };
};

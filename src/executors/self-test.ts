// Tests a sandbox: that it stops what it must, and after its setup that it runs real programs. Reports the runtimes of this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CoordinatorError,
  type Executor,
  type GuestJob,
  type GuestOutcome,
  type Language,
  type Limits,
  type Settings,
  toCoordinatorError,
} from "../contracts/index.js";
import { findRuntime } from "./engines/container/container-runtime.js";
import { executorsFolder } from "./engines/guest-files.js";
import { defaultEnvironmentFolder, findInterpreter } from "./engines/python/interpreter.js";

export interface SelfTestResult {
  readonly what: "runs" | "file" | "environment" | "network" | "spin";
  readonly language: Language;
  readonly isPassed: boolean;
  /** What happened, in a few words. */
  readonly found: string;
}

const secret = "self-test-secret";

const programs: Readonly<Record<Language, Readonly<Record<SelfTestResult["what"], string>>>> = {
  typescript: {
    runs: "return 6 * 7;",
    file: 'const name = "node:" + "fs"; const fs = globalThis.process?.getBuiltinModule?.("fs") ?? (await import(name)); return fs.readFileSync("FILE", "utf8");',
    environment:
      'return globalThis.process?.env?.MCP_COORDINATOR_SELF_TEST ?? Function(\'return typeof process === "undefined" ? "" : process.env.MCP_COORDINATOR_SELF_TEST\')();',
    network: 'return await (await fetch("http://127.0.0.1:PORT/")).text();',
    spin: "for (;;) {}",
  },
  python: {
    runs: "return 6 * 7",
    file: 'return open("FILE").read()',
    environment: 'import os\nreturn os.environ.get("MCP_COORDINATOR_SELF_TEST", "")',
    network:
      'import urllib.request\nreturn urllib.request.urlopen("http://127.0.0.1:PORT/", timeout=2).read().decode()',
    spin: "while True:\n    pass",
  },
};

/** Runs the five programs in every language that an executor can run here. */
export const selfTest = async (executor: Executor, limits: Limits): Promise<readonly SelfTestResult[]> => {
  const { languages = executor.languages } = await executor.inspect();
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-self-test-"));
  const file = join(folder, "secret.txt");
  writeFileSync(file, secret);
  process.env.MCP_COORDINATOR_SELF_TEST = secret;
  let hits = 0;
  const listener = createServer((_request, response) => {
    hits++;
    response.end(secret);
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const port = String((listener.address() as { port: number }).port);
  try {
    const results: SelfTestResult[] = [];
    for (const language of languages) {
      for (const [name, text] of Object.entries(programs[language])) {
        const what = name as SelfTestResult["what"];
        const outcome = await executor.run(
          toJob(language, text.replace("FILE", file).replace("PORT", port), { ...limits, timeoutMs: 1000 }),
        );
        results.push({ what, language, ...judge(what, outcome, hits) });
      }
    }
    return results;
  } finally {
    delete process.env.MCP_COORDINATOR_SELF_TEST;
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A program without tools. */
const toJob = (language: Language, text: string, limits: Limits): GuestJob => ({
  language,
  code: language === "typescript" ? `export default async function program() {\n${text}\n}` : text,
  files: [],
  globals: {},
  host: {
    call: async () => ({
      status: "failed",
      name: "ToolError",
      message: "There are no tools here",
      code: "TOOL_UNKNOWN",
    }),
  },
  limits,
});

const judge = (
  what: SelfTestResult["what"],
  outcome: GuestOutcome,
  hits: number,
): { isPassed: boolean; found: string } => {
  const value = outcome.status === "completed" ? outcome.valueJson : undefined;
  if (what === "runs")
    return { isPassed: value === "42", found: value === "42" ? "runs" : describe(outcome) };
  if (what === "spin") {
    const isPassed = outcome.status === "stopped" && outcome.reason === "timeout";
    return { isPassed, found: isPassed ? "stopped at its limit" : describe(outcome) };
  }
  const isReached = value?.includes(secret) === true || (what === "network" && hits > 0);
  return { isPassed: !isReached, found: isReached ? "REACHED" : "out of reach" };
};

const describe = (outcome: GuestOutcome): string =>
  outcome.status === "failed"
    ? outcome.failure.message.slice(0, 120)
    : outcome.status === "stopped"
      ? `stopped: ${outcome.reason}`
      : "completed";

interface TestRun {
  readonly language: Language;
  /** What the program found, with versions: `Python 3.13.1`, `pandas 3.1.1`. */
  readonly found: readonly string[];
}

/** The program that tests a new setup. */
const readSetUpProgram = async (language: Language): Promise<string> =>
  language === "python"
    ? readFile(join(executorsFolder, "guests/python/find_libraries.py"), "utf8")
    : "return [];";

/** The first program of a fresh image or environment reads everything from disk. */
const timeoutMs = 120_000;

/** Throws SANDBOX_UNAVAILABLE if a program does not finish. */
export const testRun = async (
  executor: Executor,
  limits: Limits,
  languages: readonly Language[] = executor.languages,
): Promise<readonly TestRun[]> => {
  const runs: TestRun[] = [];
  for (const language of languages) {
    const outcome = await executor.run(
      toJob(language, await readSetUpProgram(language), { ...limits, timeoutMs }),
    );
    if (outcome.status !== "completed" || outcome.valueJson === undefined) {
      const problem = outcome.status === "failed" ? outcome.failure.message.slice(0, 500) : outcome.status;
      throw new CoordinatorError(
        "SANDBOX_UNAVAILABLE",
        `Cannot use the new setup of the sandbox "${executor.name}": its first ${language} program failed: ${problem}`,
        { hint: "Report it with the output of --verbose. The previous setup is still in use." },
      );
    }
    runs.push({ language, found: JSON.parse(outcome.valueJson) as readonly string[] });
  }
  return runs;
};

export interface RuntimeReport {
  readonly what: "python" | "container";
  /** Its path or name with its version; absent if there is none. */
  readonly found?: string | undefined;
  readonly problem?: CoordinatorError | undefined;
}

type RuntimeSettings = Pick<Settings, "python" | "container">;

const inspectPython = async ({ python: { interpreter } }: RuntimeSettings): Promise<RuntimeReport> => {
  const found = await findInterpreter({ environmentFolder: defaultEnvironmentFolder(), interpreter });
  const libraries = found.libraries.length === 0 ? "" : ` with ${found.libraries.join(", ")}`;
  return { what: "python", found: `${found.executable}, ${found.version.join(".")}${libraries}` };
};

const inspectContainer = async ({ container }: RuntimeSettings): Promise<RuntimeReport> => {
  const { command, isRootless } = await findRuntime(container);
  return { what: "container", found: `${command}${isRootless ? ", rootless" : ", as root"}` };
};

/** Looks for each. TypeScript needs none of them. */
export const inspectRuntimes = (settings: RuntimeSettings): Promise<readonly RuntimeReport[]> => {
  const toReport =
    (what: RuntimeReport["what"]) =>
    (thrown: unknown): RuntimeReport => ({ what, problem: toCoordinatorError(thrown) });
  return Promise.all([
    inspectPython(settings).catch(toReport("python")),
    inspectContainer(settings).catch(toReport("container")),
  ]);
};

// Tests a sandbox: that it stops what it must, and after its setup that it runs real programs. Reports the runtimes of this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
const secretVariable = "MCP_COORDINATOR_SELF_TEST";

const probeFiles: Readonly<Record<Language, string>> = {
  typescript: "guests/typescript/self-test.mjs",
  python: "guests/python/self_test.py",
};

type Program = Pick<GuestJob, "code" | "files">;

/** A program that calls one of the probes. */
const toProgram = (
  language: Language,
  source: string,
  [probe, argument]: readonly [string, string?],
): Program => {
  const call = `${probe}(${argument === undefined ? "" : JSON.stringify(argument)})`;
  return language === "python"
    ? { code: `${source}\n\n${call}\n`, files: [] }
    : {
        code: `import { ${probe} } from "self-test";\nexport default async () => ${call};`,
        files: [{ path: "self-test", source }],
      };
};

/** Runs the probes in every language that an executor can run here. */
export const selfTest = async (executor: Executor, limits: Limits): Promise<readonly SelfTestResult[]> => {
  const { languages = executor.languages } = await executor.inspect();
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-self-test-"));
  const file = join(folder, "secret.txt");
  writeFileSync(file, secret);
  process.env[secretVariable] = secret;
  let hits = 0;
  const listener = createServer((_request, response) => {
    hits++;
    response.end(secret);
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as AddressInfo;
  const probes: readonly (readonly [SelfTestResult["what"], string?])[] = [
    ["runs"],
    ["file", file],
    ["environment", secretVariable],
    ["network", `http://127.0.0.1:${port}/`],
    ["spin"],
  ];
  try {
    const results: SelfTestResult[] = [];
    for (const language of languages) {
      const source = await readFile(join(executorsFolder, probeFiles[language]), "utf8");
      for (const probe of probes) {
        const [what] = probe;
        const program = toProgram(language, source, probe);
        const outcome = await executor.run(toJob(language, program, { ...limits, timeoutMs: 1000 }));
        results.push({ what, language, ...judge(what, outcome, hits) });
      }
    }
    return results;
  } finally {
    delete process.env[secretVariable];
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A program without tools. */
const toJob = (language: Language, program: Program, limits: Limits): GuestJob => ({
  ...program,
  language,
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
const readSetUpProgram = async (language: Language): Promise<Program> =>
  language === "python"
    ? { code: await readFile(join(executorsFolder, "guests/python/find_libraries.py"), "utf8"), files: [] }
    : { code: "export default async () => [];", files: [] };

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

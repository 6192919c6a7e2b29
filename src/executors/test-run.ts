// Runs one real program in each language of a sandbox after its setup, and reports what it found inside.
import { CoordinatorError, type Executor, type Language, type Limits } from "../contracts/index.js";
import { toJob } from "./self-test.js";

export interface TestRun {
  readonly language: Language;
  /** What the program found, with versions: `Python 3.13.1`, `pandas 3.1.1`. */
  readonly found: readonly string[];
}

/** Importing is not enough: a library can import and fail at its first computation. */
const pythonProgram = `
import importlib, sys
found = ["Python " + ".".join(map(str, sys.version_info[:3]))]
modules = {}
for module, name in (("numpy", "numpy"), ("pandas", "pandas"), ("sklearn", "scikit-learn")):
    try:
        modules[module] = importlib.import_module(module)
    except ModuleNotFoundError:
        continue
    found.append(name + " " + modules[module].__version__)
if len(modules) == 3:
    from sklearn.linear_model import LinearRegression
    table = modules["pandas"].DataFrame({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
    slope = LinearRegression().fit(table[["x"]], table["y"]).coef_[0]
    assert round(float(slope), 6) == 2 and int(table.groupby("x")["y"].sum().sum()) == 20
return found
`;

const programs: Readonly<Record<Language, string>> = {
  typescript: "return [];",
  python: pythonProgram,
};

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
    const outcome = await executor.run(toJob(language, programs[language], { ...limits, timeoutMs }));
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

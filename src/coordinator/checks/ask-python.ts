// Asks the sandbox's Python: runs a small program of ours without tools, e.g. to find a syntax error.
import { type PreparedProgram, programError, toSource } from "../../checker/index.js";
import type { CoordinatorError } from "../../contracts/index.js";
import { defaultLimits, type GuestJob, type Json } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/to-run-rights.js";

const timeoutMs = 10_000;

/** The program's result. Undefined if the sandbox cannot run, which is reported elsewhere. */
export const askPython = async (
  { executors }: Host,
  question: Pick<GuestJob, "code" | "libraries">,
  { profile }: RunRights,
): Promise<Json | undefined> => {
  try {
    const outcome = await executors.run(
      {
        ...question,
        language: "python",
        files: [],
        globals: {},
        host: { call: async () => ({ status: "failed", name: "Error", message: "No tools here", code: "" }) },
        limits: { ...defaultLimits, timeoutMs, calls: 1 },
      },
      profile.executor,
    );
    if (outcome.status !== "completed" || outcome.valueJson === undefined) return undefined;
    return JSON.parse(outcome.valueJson) as Json;
  } catch {
    return undefined;
  }
};

/** A JSON string is also a Python string. */
const toQuestion = (text: string): string => `import ast
try:
    ast.parse(${JSON.stringify(text)})
    found = None
except SyntaxError as error:
    found = [error.msg, error.lineno or 1, error.offset or 1]
except (ValueError, RecursionError, MemoryError) as error:
    found = [str(error), 1, 1]
return found`;

/** PROGRAM_INVALID with its place. Undefined if nothing is wrong or it cannot be determined. */
export const findSyntaxError = async (
  host: Host,
  program: PreparedProgram,
  rights: RunRights,
): Promise<CoordinatorError | undefined> => {
  const found = await askPython(host, { code: toQuestion(program.text), libraries: [] }, rights);
  if (!Array.isArray(found)) return undefined;
  const [message, line, column] = found;
  const position = toSource(program, Number(line), Number(column));
  return programError(
    `Cannot parse line ${position?.line ?? line} of the program: ${String(message)}`,
    position,
  );
};

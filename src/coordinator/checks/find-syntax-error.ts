// Whether a Python program can be parsed: its own Python says so, inside the sandbox, and runs nothing of it.
import { type PreparedProgram, programError, toSource } from "../../checker/index.js";
import type { CoordinatorError } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/to-run-rights.js";
import { askPython } from "./ask-python.js";

/** JSON's texts are Python's too. */
const toQuestion = (text: string): string => `import ast
try:
    ast.parse(${JSON.stringify(text)})
    found = None
except SyntaxError as error:
    found = [error.msg, error.lineno or 1, error.offset or 1]
except (ValueError, RecursionError, MemoryError) as error:
    found = [str(error), 1, 1]
return found`;

/** PROGRAM_INVALID with its place; undefined when nothing is wrong, or nobody can tell. */
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

// Checks the types of a Python program with an installed type checker and reports only what is certain.
import type { Finding, PythonTypes } from "../../check.js";
import type { PythonContext } from "../dialect.js";
import { type FoundChecker, findTypeChecker } from "./find-type-checker.js";
import { judgeTypeMessage } from "./judge-type-message.js";
import { runTypeChecker } from "./run-type-checker.js";
import { type TypeMessage, typeCheckers } from "./type-checkers.js";
import { linesAbove, writeTypedProgram } from "./write-typed-program.js";

/** Time limits for a requested check and for a program about to run. */
const timeoutsMs = { requested: 20_000, run: 200 };
const maxCached = 200;
const maxMessages = 50;

/** Cache: program as written for the type checker → its messages. */
const cache = new Map<string, readonly TypeMessage[]>();

const toOffset = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let left = line - 1; left > 0; left--) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
};

const find = ({ checker, interpreter }: PythonTypes): FoundChecker | undefined =>
  checker === "off" ? undefined : findTypeChecker({ wanted: checker, interpreter });

export const checkPythonTypes = async (
  context: PythonContext,
  types: PythonTypes,
): Promise<readonly Finding[]> => {
  const checker = context.uses.calls.length === 0 ? undefined : find(types);
  if (checker === undefined) return [];
  const { files, stubs } = writeTypedProgram(context, types);
  const key = JSON.stringify([checker.executable, ...files]);
  let messages = cache.get(key);
  if (messages === undefined) {
    if (!types.isAsked && !typeCheckers[checker.name].isFast) return [];
    const timeoutMs = types.isAsked ? timeoutsMs.requested : timeoutsMs.run;
    messages = await runTypeChecker({ checker, files, timeoutMs }).catch(() => undefined);
    if (messages === undefined) return [];
    cache.set(key, messages);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  }
  const { text } = context.syntax;
  return messages.slice(0, maxMessages).flatMap((message) => {
    const offset = toOffset(text, message.line - linesAbove, message.column);
    return judgeTypeMessage({ context, offset, message, stubs }) ?? [];
  });
};

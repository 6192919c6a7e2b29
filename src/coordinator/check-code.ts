// Checks a program against the tools it can reach, before anything runs.
import type { CheckResult, PreparedProgram } from "../checker/index.js";
import { once } from "../contracts/index.js";
import { prepareProgram } from "./checking/checker.js";
import { checkSize, collectAdapters, type ReachedAdapters } from "./checking/collect-adapters.js";
import { collectPythonAdapters } from "./checking/collect-python-adapters.js";
import type { CheckCodeRequest, CheckCodeResult } from "./coordinator.js";
import { forWorkspace, type Rooms } from "./opening/rooms.js";
import { toRunRights } from "./running/to-run-rights.js";

/** A program that was prepared already, with the adapters that it reaches. */
export interface PreparedCheck {
  readonly program: PreparedProgram;
  readonly adapters: ReachedAdapters;
  /** Nothing but the check is waited for: it may take its time. */
  readonly isAsked: boolean;
}

/** The verb: what is wrong with a program, and what it could do. Throws PROGRAM_INVALID when it cannot even be parsed. */
export const checkCode = async (all: Rooms, request: CheckCodeRequest): Promise<CheckCodeResult> => {
  const rooms = forWorkspace(all, request.workspace);
  const { language = "typescript" } = request;
  const rights = toRunRights(rooms, request);
  checkSize(Buffer.byteLength(request.code), 0, rights.limits.codeBytes);
  const program = await prepareProgram(request.code, { language, isSession: request.session !== undefined });
  const collect = language === "python" ? collectPythonAdapters : collectAdapters;
  const adapters = await collect(rooms, program, rights.limits);
  const { diagnostics, manifest, isGuessed } = await checkPrepared(rooms, request, {
    program,
    adapters,
    isAsked: true,
  });
  if (isGuessed === true) {
    const { findSyntaxError } = await import("./checking/find-syntax-error.js");
    const error = await findSyntaxError(rooms, program, rights);
    if (error !== undefined) throw error;
  }
  return { isValid: diagnostics.every(({ severity }) => severity !== "error"), diagnostics, manifest };
};

const loadPython = once(() => import("./checking/check-python.js"));
const loadTypescript = once(() => import("./checking/check-typescript.js"));

export const checkPrepared = async (
  rooms: Rooms,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
): Promise<CheckResult> => {
  const rights = toRunRights(rooms, request);
  if (request.language === "python") {
    const { checkPython } = await loadPython();
    return checkPython(rooms, request, { ...prepared, rights });
  }
  const { checkTypescript } = await loadTypescript();
  return checkTypescript(rooms, request, { ...prepared, rights });
};

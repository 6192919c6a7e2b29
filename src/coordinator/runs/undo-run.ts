// Undoes a run: writes a program with its inverse calls, the last call first, and runs it like any other, so that it is journaled.
import { readFile } from "node:fs/promises";
import { bindArguments } from "../../catalog/index.js";
import {
  CoordinatorError,
  type InverseCall,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RunQuestion,
  type RunReader,
  type RunRequest,
  type RunResult,
  toCanonicalJson,
} from "../../contracts/index.js";
import { findTool, type Host } from "../host/host.js";
import { toLiteral } from "./commit-plan.js";
import { type RunReference, readRun } from "./list-runs.js";
import { openNewJournal } from "./new-journal.js";
import { isSameCall, readUndo, type UndoPlan, type UndoStep } from "./read-undo.js";
import { answerQuestions, prepareResume } from "./resume-run.js";
import { runCode } from "./run-code.js";
import { fromJournaledRights } from "./run-rights.js";

/** A run to undo, with the plan that a person approved. */
export interface UndoRequest
  extends RunReference,
    Pick<RunRequest, "limits" | "signal" | "onLog" | "onCall" | "output" | "onQuestion"> {
  /** What a person has seen and approved: calls that a rule asks about are not asked about again. Refused if the plan has changed. */
  readonly approved?: UndoPlan | undefined;
}

/** What was undone, and how that run ended. */
export interface UndoResult {
  /** The calls, and which of them are undone now. */
  readonly plan: UndoPlan;
  /** How the run that undoes them ended. Undefined: there was nothing to do. */
  readonly result?: RunResult | undefined;
}

const refuse = (runId: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("UNDO_REFUSED", `Cannot undo the run "${runId}": ${state}`, { hint });

/** Throws UNDO_REFUSED for what never has anything to undo, and RUN_BUSY while a process works on the run. */
const checkRun = ({ recorded }: RunReader): void => {
  const { runId, rights, status } = recorded;
  if (rights.undoes !== undefined)
    throw refuse(runId, "it undoes another run itself", "Run the first program again.");
  if (rights.mode === "plan") throw refuse(runId, "it is a plan, so it changed nothing");
  if (status === "running")
    throw new CoordinatorError("RUN_BUSY", `Cannot undo the run "${runId}": a process is running it`);
};

export const planUndo = async (host: Host, request: RunReference): Promise<UndoPlan> => {
  const reader = await readRun(host, request);
  checkRun(reader);
  return (await readUndo(host, request, reader)).plan;
};

export const undoRun = async (host: Host, request: UndoRequest): Promise<UndoResult> => {
  const { runId, workspace, approved, ...others } = request;
  const reader = await readRun(host, request);
  checkRun(reader);
  const { plan, undo } = await readUndo(host, request, reader);
  const { undoId, undoStatus } = plan;
  const ready = plan.steps.filter(({ state }) => state === "ready");
  const uncertain = plan.steps.find(({ state }) => state === "uncertain");
  if (undoStatus === "running")
    throw new CoordinatorError("RUN_BUSY", `Cannot undo the run "${runId}": the run "${undoId}" does so now`);
  if (uncertain !== undefined) throw toUncertainError(host, plan, uncertain);
  if (ready.length === 0) return { plan };
  if (approved !== undefined && !isSamePlan(plan, approved))
    throw refuse(runId, "its calls are no longer those that were approved", "Look at them again.");
  if (host.configuration.settings.journal === "off")
    throw refuse(runId, 'the setting "journal" is off, so nobody would know what was undone');
  const { recorded } = reader;
  const asked = { ...others, workspace, onQuestion: toAnswering(host, request, ready) };
  const code = await writeProgram(runId, await listMade(undo), ready);
  const run: RunRequest = {
    ...fromJournaledRights(recorded.rights, "undo"),
    ...asked,
    code,
    isChecked: false,
    undoes: { runId, attempt: recorded.attempt, session: recorded.started.session },
  };
  const opened =
    undo === undefined
      ? { request: run, journal: openNewJournal(host, run, undoId) }
      : await prepareResume(host, { ...asked, runId: undoId, code }, { isUndo: true });
  const first = await runCode(host, opened.request, { openJournal: () => opened.journal });
  const result = await answerQuestions(host, asked, first);
  return { plan: (await readUndo(host, request, await readRun(host, request))).plan, result };
};

/** A call that an earlier attempt made, and that is answered from the journal. Its failures are not repeated. */
const listMade = async (undo: RunReader | undefined): Promise<readonly InverseCall[]> => {
  if (undo === undefined) return [];
  const made = undo.recorded.calls.filter(({ answer }) => answer?.answer.status === "answered");
  return Promise.all(
    made.map(async (call) => ({
      server: call.intent.server,
      tool: call.intent.tool,
      arguments: (await undo.readArguments(call)) as JsonObject,
    })),
  );
};

/** A person who approved the whole list is not asked again about the calls in it. */
const toAnswering = (
  host: Host,
  { approved: plan, onQuestion }: UndoRequest,
  steps: readonly UndoStep[],
): UndoRequest["onQuestion"] => {
  if (plan === undefined) return onQuestion;
  const approved = steps.flatMap(({ call, check }) => [call, check].filter((one) => one !== undefined));
  return async (question: RunQuestion, runId: string): Promise<PeopleAnswer | undefined> => {
    const { kind, calls = [] } = question;
    if (kind !== "approval" || calls.length === 0) return onQuestion?.(question, runId);
    const listed = await Promise.all(approved.map((call) => toCalled(host, call)));
    const isListed = calls.every((call) =>
      listed.some((one) => isSameCall(one, { ...call, arguments: call.arguments as JsonObject })),
    );
    return isListed ? { answer: true } : onQuestion?.(question, runId);
  };
};

/** The call as its server gets it, whatever the policy calls the tool. */
const toCalled = async (host: Host, call: InverseCall): Promise<InverseCall> => {
  const tool = await findTool(host, call.server, call.tool).catch(() => undefined);
  if (tool === undefined) return call;
  const { server, name } = tool;
  return { server, tool: name, arguments: bindArguments(tool, [call.arguments]) };
};

const isSamePlan = (one: UndoPlan, other: UndoPlan): boolean =>
  toCanonicalJson(one.steps) === toCanonicalJson(other.steps);

const toUncertainError = (
  host: Host,
  { runId, undoId }: UndoPlan,
  { server, tool }: UndoStep,
): CoordinatorError =>
  new CoordinatorError(
    "RUN_UNCERTAIN",
    `Cannot undo the run "${runId}": the inverse call for "${server}.${tool}" was sent and its answer was lost, so it may or may not have taken effect`,
    {
      hint: `Look on the server. Then run: ${host.toCommand(["resume", undoId])} with --skip if it took effect, or with --repeat if not.`,
    },
  );

const toCall = ({ server, tool, arguments: given }: InverseCall): string =>
  ([server, tool, given] as readonly Json[]).map(toLiteral).join(", ");

/** Stops at the first call that fails, because every exception ends the program. */
const writeProgram = async (
  runId: string,
  made: readonly InverseCall[],
  steps: readonly UndoStep[],
): Promise<string> => {
  const lines = steps.flatMap(({ sequence, server, tool, call, check }) => {
    if (call === undefined) return [];
    const name = JSON.stringify(`call ${sequence}, "${server}.${tool}"`);
    const comparing =
      check === undefined
        ? []
        : [
            `check(${name}, await callTool(${toCall(check)}), ${toLiteral(check.expect as unknown as Json)});`,
          ];
    return [...comparing, `await callTool(${toCall(call)});`];
  });
  return [
    `// Undoes the calls of the run ${runId}, the last one first.`,
    ...(steps.some(({ check }) => check !== undefined) ? [await readCheck()] : []),
    ...(made.length === 0 ? [] : ["// Made before: answered from the journal."]),
    ...made.map((call) => `await callTool(${toCall(call)});`),
    ...lines,
    `return "undone";`,
    "",
  ].join("\n");
};

/** The function `check` of a program. */
const readCheck = async (): Promise<string> => {
  const source = await readFile(new URL("./undo-check.mjs", import.meta.url), "utf8");
  return source.replace("export const", "const").trimEnd();
};

// Stored runs: lists those of a workspace, reads one, and shows one in full.
import {
  type CallDecision,
  type CallEffect,
  type CallRecord,
  CoordinatorError,
  isHeld,
  isLost,
  type JournalCall,
  type Json,
  type JsonObject,
  type LogLine,
  type RecordedRun,
  type RunReader,
  type RunRequest,
  type RunResult,
  type RunSummary,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { isSimulation } from "./admit.js";
import { describeApprovals } from "./approve.js";
import { readUndo, type UndoPlan } from "./read-undo.js";
import { fromJournaledRights } from "./run-rights.js";

/** A run of a workspace. @default the workspace of the settings */
export interface RunReference extends Pick<RunRequest, "caller" | "conversation"> {
  readonly runId: string;
  readonly workspace?: string | undefined;
}

/** One call of a stored run. */
export interface RunCall {
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  /** `lost`: sent, but no answer was recorded. `held`: waiting for approval. */
  readonly status: "answered" | "failed" | "lost" | "held";
  readonly decision?: CallDecision | undefined;
  readonly code?: string | undefined;
  readonly at: string;
  readonly durationMs?: number | undefined;
}

/** A stored run in full. */
export interface RunDetails extends RunSummary {
  readonly code: string;
  readonly made: readonly RunCall[];
  /** Calls that no longer count, because the program took another path. */
  readonly abandoned: readonly RunCall[];
  /** What people approved of its programs as a whole, with what they were shown. */
  readonly approvals?: readonly JsonObject[] | undefined;
  /** How its calls can be undone, or were. Undefined: it changed nothing that can be undone. */
  readonly undo?: UndoPlan | undefined;
  /** What it printed: of a background run also while it is in progress. */
  readonly logs: readonly LogLine[];
  /** The result that the caller got. */
  readonly result?: RunResult | undefined;
}

export const listRuns = async (
  host: Host,
  { limit, workspace }: { readonly limit?: number | undefined; readonly workspace?: string | undefined } = {},
): Promise<readonly RunSummary[]> => {
  await host.deferred.flush();
  const { runs } = await host.openWorkspace(workspace);
  return runs.list({ limit });
};

export const showRun = async (host: Host, request: RunReference): Promise<RunDetails> => {
  const reader = await readRun(host, request);
  const { recorded } = reader;
  const { started, ended } = recorded;
  const toCalls = (calls: readonly JournalCall[]) => Promise.all(calls.map((call) => toCall(reader, call)));
  const result = await readStoredResult(reader);
  const [made, abandoned] = await Promise.all([toCalls(recorded.calls), toCalls(recorded.abandoned)]);
  const { plan } = await readUndo(host, request, reader);
  const canUndo = plan.undoStatus !== undefined || plan.steps.some(({ call }) => call !== undefined);
  return {
    runId: recorded.runId,
    undoes: fromJournaledRights(recorded.rights, "resume").undoes?.runId,
    undo: canUndo ? plan : undefined,
    status: recorded.status,
    isPlan: recorded.rights.mode === "plan" || undefined,
    isSimulated: isSimulation(recorded.rights) || undefined,
    language: started.language,
    startedAt: started.at,
    endedAt: ended?.at,
    durationMs: ended?.durationMs,
    session: started.session,
    calls: made.length,
    uncertain: [...made, ...abandoned].filter(({ status, effect }) => status === "lost" && effect === "write")
      .length,
    attempts: recorded.attempt,
    code: await reader.readProgram(),
    made,
    abandoned,
    approvals: describeApprovals(recorded.approvals),
    logs: result?.logs ?? recorded.printed,
    result,
  };
};

const toCall = async (reader: RunReader, call: JournalCall): Promise<RunCall> => {
  const { intent, answer } = call;
  const code = answer?.answer.status === "failed" ? answer.answer.code : undefined;
  return {
    sequence: intent.sequence,
    server: intent.server,
    tool: intent.tool,
    arguments: await reader.readArguments(call),
    effect: intent.effect,
    status: isHeld(call) ? "held" : isLost(call) ? "lost" : (answer?.answer.status ?? "lost"),
    decision: answer?.decision,
    durationMs: answer?.durationMs,
    code,
    at: intent.at,
  };
};

/** Reads a stored run, after pending writes. */
export const readRun = async (host: Host, { runId, workspace }: RunReference): Promise<RunReader> => {
  await host.deferred.flush();
  const { runs } = await host.openWorkspace(workspace);
  try {
    return await runs.read(runId);
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    if (error.code !== "RUN_UNKNOWN") throw error;
    const { settings } = host.configuration;
    const place = workspace ?? settings.workspace;
    // Callers and models read the message, so it does not name the state folder.
    throw new CoordinatorError(
      "RUN_UNKNOWN",
      `Cannot find the run "${runId}": the workspace "${place}" has no run of that id`,
      { details: { workspace: place, stateFolder: settings.stateFolder } },
    );
  }
};

/** The result that the caller got when the run ended or paused. Undefined before that. */
export const readStoredResult = async ({
  recorded,
  readResult,
}: RunReader): Promise<RunResult | undefined> => {
  const stored = ((await readResult()) ?? recorded.paused?.reason) as RunResult | undefined;
  if (stored === undefined) return undefined;
  const made = recorded.calls.filter(({ intent }) => !intent.server.startsWith("("));
  return { ...stored, calls: made.map((call) => toRecord(recorded, call)) };
};

const toRecord = ({ started }: RecordedRun, { intent, answer }: JournalCall): CallRecord => {
  const given = answer?.answer;
  const { sequence, server, tool, arguments: value, argumentFile } = intent;
  return {
    sequence,
    server,
    tool,
    status: given?.status ?? "failed",
    code: given?.status === "failed" ? given.code : undefined,
    startedAtMs: Date.parse(intent.at) - Date.parse(started.at),
    durationMs: answer?.durationMs ?? 0,
    argumentBytes: argumentFile?.bytes ?? JSON.stringify(value ?? null).length,
    answerBytes:
      given?.status === "answered"
        ? (given.file?.bytes ?? given.body?.length ?? 0)
        : (given?.message.length ?? 0),
    isCaptured: answer?.decision === "captured" || undefined,
    isSimulated: answer?.decision === "simulated" || undefined,
  };
};

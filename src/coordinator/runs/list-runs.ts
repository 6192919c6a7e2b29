// Lists the stored runs of a workspace, and shows one in full.
import {
  isHeld,
  isLost,
  type JournalCall,
  type JsonObject,
  type RunReader,
  type RunSummary,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunCall, RunDetails, RunReference } from "./durable-verbs.js";
import { fromJournaledRights } from "./journaled-rights.js";
import { readStoredResult } from "./read-result.js";
import { readUndo } from "./read-undo.js";
import { readRun } from "./resume-run.js";
import { describeApprovals } from "./sealed-approvals.js";
import { isSimulation } from "./simulated-servers.js";

export const listRuns = async (
  host: Host,
  { limit, workspace }: { readonly limit?: number | undefined; readonly workspace?: string | undefined } = {},
): Promise<readonly RunSummary[]> => {
  await host.deferred.flush();
  const { runs } = await host.workspaces.open(workspace);
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
    undoes: readUndone(recorded.rights),
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

/** The run whose calls a run undoes. */
const readUndone = (rights: JsonObject): string | undefined => {
  const { undoes } = fromJournaledRights(rights, "resume");
  return undoes?.runId;
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

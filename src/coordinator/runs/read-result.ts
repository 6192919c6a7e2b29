// The result of a kept run: its calls are those of its journal, so they are not kept twice.
import type {
  CallRecord,
  EndedRecord,
  Journal,
  JournalCall,
  RunReader,
  RunResult,
} from "../../contracts/index.js";

/** A result as it is kept: what the check found is found again when it is needed, and images are kept by themselves. */
export const toKept = ({ manifest: _, warnings: __, shown, ...result }: RunResult): never =>
  ({ ...result, calls: [], ...(shown === undefined ? {} : { shown: { ...shown, images: [] } }) }) as never;

/** What has no journal cannot wait: it has ended, one way or another. */
export const toEndedStatus = (status: RunResult["status"]): EndedRecord["status"] =>
  status === "paused" ? "stopped" : status;

/** What the run's caller was told when it ended or paused; undefined before. */
export const readKeptResult = async ({ journal, readResult }: RunReader): Promise<RunResult | undefined> => {
  const kept = ((await readResult()) ?? journal.paused?.reason) as RunResult | undefined;
  if (kept === undefined) return undefined;
  const made = journal.calls.filter(({ intent }) => !intent.server.startsWith("("));
  return { ...kept, calls: made.map((call) => toRecord(journal, call)) };
};

const toRecord = ({ started }: Journal, { intent, answer }: JournalCall): CallRecord => {
  const given = answer?.answer;
  const { sequence, server, tool, arguments: value, argumentFile } = intent;
  return {
    sequence,
    server,
    tool,
    status: given?.status ?? "failed",
    ...(given?.status === "failed" ? { code: given.code } : {}),
    startedAtMs: Date.parse(intent.at) - Date.parse(started.at),
    durationMs: answer?.durationMs ?? 0,
    argumentBytes: argumentFile?.bytes ?? JSON.stringify(value ?? null).length,
    answerBytes:
      given?.status === "answered"
        ? (given.file?.bytes ?? given.body?.length ?? 0)
        : (given?.message.length ?? 0),
    ...(answer?.decision === "captured" ? { isCaptured: true } : {}),
  };
};

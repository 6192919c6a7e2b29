// The result of a stored run. Its calls are in the journal, so they are not stored twice.
import type {
  CallRecord,
  EndedRecord,
  JournalCall,
  RecordedRun,
  RunReader,
  RunResult,
} from "../../contracts/index.js";

/** A stored result. Check findings are recomputed when needed, and images are stored separately. */
export const toStoredResult = ({ manifest: _, warnings: __, shown, ...result }: RunResult): never =>
  ({ ...result, calls: [], shown: shown && { ...shown, images: [], media: undefined } }) as never;

/** A run without a journal cannot wait: it has ended. */
export const toEndedStatus = (status: RunResult["status"]): EndedRecord["status"] =>
  status === "paused" ? "stopped" : status;

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

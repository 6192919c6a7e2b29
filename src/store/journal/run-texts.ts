// The texts of a run that are too large for a line of its journal, and a reader that finds each text wherever it is.
import {
  type AnswerRecord,
  CoordinatorError,
  type GuestAnswer,
  type Json,
  parseJson,
  type RecordedAnswer,
  type RecordedInverse,
  type RecordedRun,
  type RunReader,
  type StoredText,
} from "../../contracts/index.js";
import { isInverse } from "./journal-record.js";

/** Longest text that the journal itself contains, in characters. */
export const maxInline = 16 * 1024;

/** Where the large texts of one run are stored. */
export interface RunTexts {
  readonly write: (file: string, text: string) => Promise<StoredText>;
  readonly read: (stored: StoredText) => Promise<string>;
}

/** Whether the journal contains the answer itself. */
export const isInline = (answer: GuestAnswer): boolean =>
  answer.status === "failed" || answer.body.length <= maxInline;

/** Stores a large answer as a file and returns what the journal records of it. */
export const storeAnswer = async (
  texts: RunTexts,
  sequence: number,
  answer: GuestAnswer,
): Promise<RecordedAnswer> => {
  if (answer.status === "failed" || isInline(answer)) return answer;
  const { status, format, body } = answer;
  // A server's text may contain lone surrogates, which UTF-8 cannot encode.
  const isQuoted = !body.isWellFormed();
  const stored = await texts.write(
    `answers/${sequence}.${format === "json" || isQuoted ? "json" : "txt"}`,
    isQuoted ? JSON.stringify(body) : body,
  );
  return { status, format, file: { ...stored, isQuoted: isQuoted || undefined } };
};

/** Stores a large inverse as a file. */
export const storeInverse = async (
  texts: RunTexts,
  sequence: number,
  inverse: RecordedInverse | undefined,
): Promise<Partial<Pick<AnswerRecord, "inverse" | "inverseFile">>> => {
  if (inverse === undefined) return {};
  const text = JSON.stringify(inverse);
  if (text.length <= maxInline) return { inverse };
  return { inverseFile: await texts.write(`inverses/${sequence}.json`, text) };
};

export const readRecordedAnswer = async (texts: RunTexts, answer: RecordedAnswer): Promise<GuestAnswer> => {
  if (answer.status === "failed") return answer;
  const { status, format, body, file } = answer;
  if (body !== undefined) return { status, format, body };
  if (file === undefined)
    throw new CoordinatorError("STORE_UNREADABLE", "Cannot read an answer: it has no text");
  const text = await texts.read(file);
  return { status, format, body: file.isQuoted === true ? (JSON.parse(text) as string) : text };
};

/** Reads a journal with its large texts. */
export const openRunReader = (recorded: RecordedRun, texts: RunTexts): RunReader => ({
  recorded,
  readProgram: async () => recorded.program.text ?? texts.read(recorded.program),
  readAnswer: async ({ intent, answer }) => {
    if (answer !== undefined) return readRecordedAnswer(texts, answer.answer);
    throw new CoordinatorError(
      "STORE_UNREADABLE",
      `Cannot read the answer of call ${intent.sequence}: it was lost`,
    );
  },
  readArguments: async ({ intent }) =>
    intent.argumentFile === undefined
      ? (intent.arguments ?? null)
      : (parseJson(await texts.read(intent.argumentFile)) as Json),
  readInverse: async ({ answer }) => {
    if (answer?.inverseFile === undefined) return answer?.inverse;
    const read: unknown = parseJson(await texts.read(answer.inverseFile));
    return isInverse(read) ? read : { missing: "it cannot be read" };
  },
  readResult: async () =>
    recorded.ended?.resultFile === undefined
      ? recorded.ended?.result
      : (parseJson(await texts.read(recorded.ended.resultFile)) as Json),
});

// Cassettes: a run as one text (program, calls, answers, values) that replays anywhere without its servers.
import {
  type AnswerRecord,
  CoordinatorError,
  type Json,
  type Language,
  type OpenCassette,
  parseJson,
  type RunReader,
} from "../../contracts/index.js";
import { foldJournal } from "./fold-journal.js";
import { type JournalRecord, parseRecord } from "./journal-record.js";
import { openStoredJournal } from "./stored-journal.js";

const format = "mcp-coordinator/cassette";
const version = 1;

export interface Cassette {
  readonly language: Language;
  readonly code: string;
  readonly enclosed?: Json | undefined;
  /** The run's records with all texts inline. The first one is `started`, without its program. */
  readonly records: readonly JournalRecord[];
}

/** The calls that count, in order, without anything about the machine they ran on. */
const listEvents = async (reader: RunReader): Promise<readonly JournalRecord[]> => {
  const events: { readonly at: number; readonly record: JournalRecord }[] = [];
  for (const call of reader.recorded.calls) {
    const { argumentFile: _, repeats: __, input: ___, ...intent } = call.intent;
    events.push({ at: call.intentAt, record: { ...intent, arguments: await reader.readArguments(call) } });
    if (call.answer === undefined) continue;
    events.push({
      at: call.answerAt,
      record: { ...withoutInverse(call.answer), answer: await reader.readAnswer(call) },
    });
  }
  return events.sort((one, other) => one.at - other.at).map(({ record }) => record);
};

/** A recording is a text from anywhere. What it names must never be called as an undo. */
const withoutInverse = (record: AnswerRecord): AnswerRecord => {
  const { inverse: _, inverseFile: __, ...rest } = record;
  return rest;
};

const listEnd = async ({ recorded, readResult }: RunReader): Promise<readonly JournalRecord[]> => {
  if (recorded.ended === undefined) return [];
  const { resultFile: _, ...ended } = recorded.ended;
  const result = await readResult();
  return [{ ...ended, attempts: 1, result }];
};

export const renderCassette = async (reader: RunReader, enclosed?: Json): Promise<string> => {
  const { recorded } = reader;
  const { owner: _, ...started } = recorded.started;
  const code = await reader.readProgram();
  const head = {
    format,
    version,
    language: started.language,
    code,
    enclosed,
  };
  const records: readonly JournalRecord[] = [
    // The head has the program.
    { ...started, program: { hash: recorded.program.hash, text: "" }, rights: recorded.rights },
    ...recorded.values,
    ...(await listEvents(reader)),
    ...(await listEnd(reader)),
  ];
  return [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join("");
};

const invalid = (why: string): CoordinatorError =>
  new CoordinatorError("CASSETTE_INVALID", `Cannot read the recording: ${why}`);

const readHead = (line: string): Omit<Cassette, "records"> => {
  let head: Readonly<Record<string, unknown>> = {};
  try {
    head = parseJson(line) as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below.
  }
  if (head === null || head.format !== format) throw invalid("the file is not a recording");
  if (head.version !== version) throw invalid(`it has version ${String(head.version)}, expected ${version}`);
  const { language, code } = head;
  if ((language !== "typescript" && language !== "python") || typeof code !== "string")
    throw invalid("its first line has no program");
  return { language, code, enclosed: head.enclosed as Json | undefined };
};

const refersToFile = (record: JournalRecord): boolean =>
  (record.type === "intent" && record.argumentFile !== undefined) ||
  (record.type === "answer" && record.answer.status === "answered" && record.answer.file !== undefined) ||
  (record.type === "ended" && record.resultFile !== undefined);

/** Throws CASSETTE_INVALID with the line. */
export const parseCassette = (text: string): Cassette => {
  const [first = "", ...lines] = text.split("\n").filter((line) => line !== "");
  const head = readHead(first);
  const records = lines.map((line, index) => {
    const record = parseRecord(line);
    if (record === undefined || refersToFile(record)) throw invalid(`line ${index + 2} is not a record`);
    return record.type === "answer" ? withoutInverse(record) : record;
  });
  if (records[0]?.type !== "started") throw invalid("the record of its start is missing");
  return { ...head, records };
};

/** Opens a cassette as a run that answers calls and writes nothing. */
export const replayCassette = ({ language, code, enclosed, records }: Cassette): OpenCassette => {
  const recorded = foldJournal(records, () => true);
  const port = {
    append: async () => {},
    appendLater: () => {},
    // Its records have all texts inline.
    texts: { read: async () => "", write: async (file: string) => ({ file, bytes: 0 }) },
    isStopRequested: async () => false,
    close: () => {},
  };
  const result = recorded.ended?.result;
  return {
    language,
    code,
    rights: recorded.rights,
    result,
    enclosed,
    run: openStoredJournal(port, { ...recorded, attempt: recorded.attempt + 1 }, { isOffline: true }),
  };
};

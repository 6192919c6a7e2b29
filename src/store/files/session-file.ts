// The text of one session log: the documented structure, read back only when everything in it fits.
import type { SessionLog } from "../../contracts/index.js";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === "string";

const isTask = (value: unknown): boolean =>
  isFields(value) &&
  ["task_id", "description", "code", "output", "timestamp"].every((field) => isText(value[field])) &&
  value.result !== undefined;

const isCheckpoint = (value: unknown): boolean =>
  value === null ||
  (isFields(value) && isText(value.timestamp) && (isText(value.step) || typeof value.step === "number"));

export const renderSessionFile = (log: SessionLog): string => `${JSON.stringify(log, undefined, 2)}\n`;

/** The log in a file's text; a corrupt or foreign text has none. */
export const parseSessionFile = (text: string): SessionLog | undefined => {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isLog =
    isFields(file) &&
    isText(file.session_id) &&
    isText(file.customer_uid) &&
    isText(file.started_at) &&
    (file.ended_at === null || isText(file.ended_at)) &&
    Array.isArray(file.tasks) &&
    file.tasks.every(isTask) &&
    Array.isArray(file.state_files) &&
    file.state_files.every(isText) &&
    isCheckpoint(file.checkpoint);
  return isLog ? (file as unknown as SessionLog) : undefined;
};

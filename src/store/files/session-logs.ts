// The session logs of one workspace: one readable JSON file each, and one that names the current session.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  isFields,
  type Json,
  type SessionLog,
  type SessionLogs,
} from "../../contracts/index.js";
import { checkName, toFileName } from "../check-input.js";
import { parseFields, readTextIfPresent, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

export interface SessionLogsOptions {
  /** The workspace's folder. */
  readonly folder: string;
  /** The workspace's name. */
  readonly customer: string;
  readonly isSynced?: boolean | undefined;
}

/** People read the logs; the run's own files contain longer outputs. */
const maxOutput = 64 * 1024;
const currentFile = "current_session.json";

const now = (): string => new Date().toISOString();

const shorten = (text: string): string =>
  text.length <= maxOutput
    ? text
    : `${text.slice(0, maxOutput)}\n... ${text.length - maxOutput} characters left out`;

const toResult = (value: Json): Json => {
  const text = JSON.stringify(value);
  return text.length <= maxOutput ? value : shorten(text);
};

export const openSessionLogs = ({ folder, customer, isSynced = false }: SessionLogsOptions): SessionLogs => {
  const sessions = join(folder, "sessions");
  const locks = join(folder, "locks", "sessions");

  const readLog = async (name: string): Promise<SessionLog | undefined> => {
    const text = await readTextIfPresent(join(sessions, name));
    const log = text === undefined ? undefined : parseSessionFile(text);
    if (text !== undefined && log === undefined)
      throw new CoordinatorError(
        "STORE_UNREADABLE",
        `Cannot read "sessions/${name}": it is not a session log`,
      );
    return log;
  };
  const fileOf = (session: string): string => {
    const file = `${toFileName(checkName("session", session))}.json`;
    if (file !== currentFile) return file;
    throw new CoordinatorError("NAME_INVALID", `Cannot use the session "${session}": the name is reserved`);
  };

  const read: SessionLogs["read"] = async (session) => {
    const log = await readLog(fileOf(session));
    if (log !== undefined) return log;
    throw new CoordinatorError(
      "SESSION_UNKNOWN",
      `Cannot find the session "${session}": there is none with that name`,
    );
  };

  const write = async (log: SessionLog): Promise<void> => {
    await writeFileAtomically(join(sessions, fileOf(log.session_id)), renderSessionFile(log), { isSynced });
    const current = `${JSON.stringify({ session_id: log.session_id }, undefined, 2)}\n`;
    await writeFileAtomically(join(sessions, currentFile), current, { isSynced });
  };

  const change = <Result>(
    session: string,
    work: (log: SessionLog) => { readonly log: SessionLog; readonly result: Result },
  ): Promise<Result> =>
    withLock(locks, async () => {
      const { log, result } = work(await read(session));
      await write(log);
      return result;
    });

  const nextName = async (): Promise<string> => {
    const numbers = (await readdir(sessions)).map((name) =>
      Number(/^session_(\d{1,9})\.json$/.exec(name)?.[1] ?? 0),
    );
    return `session_${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}`;
  };

  const list: SessionLogs["list"] = async () => {
    const names = (await readdir(sessions).catch(() => [])).filter(
      (name) => name.endsWith(".json") && name !== currentFile,
    );
    const logs = await Promise.all(names.map((name) => readLog(name).catch(() => undefined)));
    return logs
      .filter((log) => log !== undefined)
      .sort((one, other) => (one.started_at < other.started_at ? 1 : -1));
  };

  return {
    read,
    list,
    begin: async (session) => {
      await mkdir(sessions, { recursive: true, mode: 0o700 });
      return withLock(locks, async () => {
        const name = session === undefined ? await nextName() : checkName("session", session);
        const known = await readLog(fileOf(name));
        const log: SessionLog =
          known === undefined
            ? {
                session_id: name,
                customer_uid: customer,
                started_at: now(),
                ended_at: null,
                tasks: [],
                state_files: [],
                checkpoint: null,
              }
            : { ...known, ended_at: null };
        await write(log);
        return log;
      });
    },
    addTask: (session, { description = "", code, result = null, output = "", runId, stateFiles = [] }) =>
      change(session, (log) => {
        const task = {
          task_id: `task_${String(log.tasks.length + 1).padStart(3, "0")}`,
          description,
          code,
          result: toResult(result),
          output: shorten(output),
          timestamp: now(),
          run_id: runId,
        };
        const state_files = [...new Set([...log.state_files, ...stateFiles])];
        return { log: { ...log, tasks: [...log.tasks, task], state_files }, result: task };
      }),
    saveCheckpoint: (session, { step, context = null }) =>
      change(session, (log) => {
        const last_task = log.tasks.at(-1)?.task_id ?? null;
        const checkpoint = { step, last_task, context, timestamp: now() };
        return { log: { ...log, checkpoint }, result: checkpoint };
      }),
    end: (session) =>
      change(session, (log) => {
        const ended = { ...log, ended_at: now() };
        return { log: ended, result: ended };
      }),
    remove: (session) =>
      withLock(locks, async () => {
        const file = fileOf(session);
        if ((await readLog(file).catch(() => null)) === undefined) return false;
        await rm(join(sessions, file), { force: true });
        return true;
      }),
    current: async () => {
      const text = await readFile(join(sessions, currentFile), "utf8").catch(() => undefined);
      const name = parseFields(text)?.session_id;
      return typeof name === "string" ? readLog(fileOf(name)) : undefined;
    },
  };
};

const isText = (value: unknown): boolean => typeof value === "string";

const isTask = (value: unknown): boolean =>
  isFields(value) &&
  ["task_id", "description", "code", "output", "timestamp"].every((field) => isText(value[field])) &&
  value.result !== undefined;

const isCheckpoint = (value: unknown): boolean =>
  value === null ||
  (isFields(value) && isText(value.timestamp) && (isText(value.step) || typeof value.step === "number"));

const renderSessionFile = (log: SessionLog): string => `${JSON.stringify(log, undefined, 2)}\n`;

/** Undefined if the text is damaged or not a session log. */
const parseSessionFile = (text: string): SessionLog | undefined => {
  const file = parseFields(text);
  const isLog =
    file !== undefined &&
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

// `workspaces`, `workspace`, `values` and `sessions`: what workspaces store, to list, print and remove.
import { isUtf8 } from "node:buffer";
import { CoordinatorError, type SessionLog } from "../../../contracts/index.js";
import type { Command, CommandContext } from "../command.js";
import { misread, readCount, readText, usage, workspaceOption, writeNamedFile } from "../read-words.js";
import { renderTime, toOneLine, toPlainText } from "../render/plain-text.js";

const listWorkspaces = async ({ screen, open }: CommandContext): Promise<number> => {
  const found = await (await open()).listWorkspaces();
  if (screen.isJson) screen.document(found);
  else if (found.length === 0)
    screen.note("There are no workspaces yet: one is created when a program first writes a file");
  else
    screen.table(
      found.map(({ name, createdAt, lastUsedAt }) => [name, renderTime(createdAt), renderTime(lastUsedAt)]),
      { head: ["WORKSPACE", "CREATED", "LAST USED"] },
    );
  return 0;
};

const removeWorkspaces = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const [, workspace, ...more] = words;
  const days = readCount(options, "inactive", "workspaces");
  if ((workspace === undefined) === (days === undefined) || more.length > 0)
    throw usage("remove workspaces", "expected one name, or --inactive DAYS", "workspaces");
  const coordinator = await open();
  const removed =
    workspace === undefined
      ? await coordinator.removeInactiveWorkspaces({ days: days ?? 1 })
      : (await coordinator.removeWorkspace({ workspace }))
        ? [workspace]
        : [];
  if (screen.isJson) screen.document({ removed });
  else if (removed.length === 0) screen.note("Nothing was removed: there is no such workspace");
  else for (const name of removed) screen.print(`removed ${name}`);
  return 0;
};

export const workspaces: Command = {
  name: "workspaces",
  usage: ["workspaces", "workspaces remove WORKSPACE", "workspaces remove --inactive DAYS"],
  description:
    "A workspace contains the files, memory, sessions and runs of one user or project. Removing it deletes all of that permanently.",
  examples: [
    ["mcp-coordinator workspaces --json", "All workspaces as JSON"],
    ["mcp-coordinator workspaces remove --inactive 90", "Remove workspaces unused for 90 days"],
  ],
  options: {
    inactive: { type: "string", value: "DAYS", summary: "Workspaces unused for this many days" },
  },
  run: async (context) => {
    const [verb] = context.words;
    if (verb === "remove") return removeWorkspaces(context);
    const isInactive = context.options.texts.inactive !== undefined;
    if (verb === undefined && !isInactive) return listWorkspaces(context);
    if (verb === undefined)
      throw usage("list the workspaces", '"--inactive" is given without "remove"', "workspaces");
    throw misread("workspaces", context.words, ["remove WORKSPACE", "nothing"]);
  },
};

const listFiles = async ({ screen, open, words: [, path], options }: CommandContext): Promise<number> => {
  const coordinator = await open();
  const found = await coordinator.listWorkspaceFiles({ workspace: readText(options, "workspace"), path });
  if (screen.isJson) screen.document(found);
  else if (found.length === 0) screen.note("There are no files in this workspace");
  else
    screen.table(
      found.map(({ path: name, kind, bytes, modifiedAt }) => [
        kind === "folder" ? `${name}/` : name,
        kind === "folder" ? "" : String(bytes),
        renderTime(modifiedAt),
      ]),
      { head: ["PATH", "BYTES", "CHANGED"] },
    );
  return 0;
};

const printFile = async ({ screen, open, words: [, path], options }: CommandContext): Promise<number> => {
  if (path === undefined) throw usage("print a file", "its path is missing", "workspace");
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const bytes = Buffer.from(await coordinator.readWorkspaceFile({ path, workspace }));
  const isText = isUtf8(bytes);
  if (screen.isJson)
    screen.document({
      path,
      bytes: bytes.length,
      ...(isText ? { text: bytes.toString("utf8") } : { base64: bytes.toString("base64") }),
    });
  else if (isText) screen.print(screen.plain(bytes.toString("utf8").replace(/\n$/, "")));
  else
    throw new CoordinatorError("USAGE", `Cannot print "${path}": its ${bytes.length} bytes are not text`, {
      hint: "Print it as Base64 with --json.",
    });
  return 0;
};

export const workspace: Command = {
  name: "workspace",
  usage: ["workspace ls [PATH]", "workspace cat PATH"],
  examples: [
    ["mcp-coordinator workspace ls", "List the files that programs wrote"],
    [
      "mcp-coordinator workspace cat reports/june.csv --workspace acme",
      "Print one file of another workspace",
    ],
  ],
  options: { workspace: workspaceOption },
  run: async (context) => {
    const [verb, , ...more] = context.words;
    if (verb === "ls" && more.length === 0) return listFiles(context);
    if (verb === "cat" && more.length === 0) return printFile(context);
    throw misread("workspace", context.words, ["ls [PATH]", "cat PATH"]);
  },
};

const listValues = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const found = await (await open()).listStoredValues({ workspace: readText(options, "workspace") });
  if (screen.isJson) screen.document(found);
  else if (found.length === 0)
    screen.note(
      "Nothing is stored yet: programs store values with tool.keep(...), and output that is too long for a model",
    );
  else
    screen.table(
      found.map(({ id, kind, bytes, count, storedAt, name = "" }) => [
        id,
        count === undefined ? kind : `${kind} of ${count}`,
        `${bytes.toLocaleString("en-US")} bytes`,
        renderTime(storedAt),
        name,
      ]),
      { head: ["ID", "KIND", "SIZE", "STORED", "FILE"] },
    );
  return 0;
};

export const values: Command = {
  name: "values",
  usage: ["values [ID] [--save FILE]"],
  description:
    "Programs store output that is too long for a model, files they create, and values that they pass between servers. --json prints one document with the content as text, or as Base64 for bytes.",
  examples: [
    ["mcp-coordinator values", "List them, newest first"],
    ["mcp-coordinator values k_43dae736d72ef0baeeec", "The full content of one"],
    ["mcp-coordinator values k_e0784036b78d8910f2ce --save chart.png", "Into a file"],
  ],
  options: {
    workspace: workspaceOption,
    save: { type: "string", value: "FILE", summary: "Write the content to a file" },
  },
  run: async (context) => {
    const { screen, open, words, options } = context;
    const [id, ...more] = words;
    if (more.length > 0)
      throw usage("print a stored value", `${words.length} ids are given, expected one`, "values");
    if (id === undefined) return listValues(context);
    const coordinator = await open();
    const workspace = readText(options, "workspace");
    const { content, ...facts } = await coordinator.readStoredValue({ id, workspace });
    const file = readText(options, "save");
    const isText = facts.kind !== "bytes";
    if (file !== undefined) await writeNamedFile(file, content, "values");
    if (screen.isJson)
      screen.document({ ...facts, content: Buffer.from(content).toString(isText ? "utf8" : "base64") });
    else if (file !== undefined) screen.note(`wrote ${content.length} bytes`);
    else if (isText) screen.print(screen.plain(Buffer.from(content).toString("utf8")));
    else
      throw new CoordinatorError("USAGE", `Cannot print "${id}": it is binary`, {
        hint: "Write it to a file with --save FILE.",
      });
    return 0;
  },
};

const lastUse = ({ tasks, started_at }: SessionLog): string => tasks.at(-1)?.timestamp ?? started_at;

const listSessions = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const found = await (await open()).listSessionLogs({ workspace: readText(options, "workspace") });
  if (screen.isJson) screen.document(found);
  else if (found.length === 0) screen.note('There are no sessions yet: "run --session NAME" starts one');
  else
    screen.table(
      found.map((log) => [
        log.session_id,
        String(log.tasks.length),
        renderTime(log.started_at),
        renderTime(lastUse(log)),
        toOneLine(log.tasks.at(-1)?.code ?? ""),
      ]),
      { head: ["SESSION", "PROGRAMS", "STARTED", "LAST USED", "LAST PROGRAM"] },
    );
  return 0;
};

const readSession = ([, session, ...more]: readonly string[], what: string): string => {
  if (session !== undefined && more.length === 0) return session;
  throw usage(`${what} a session`, "expected one name", "sessions");
};

const showSession = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const session = readSession(words, "show");
  const log = await (await open()).showSession({ session, workspace: readText(options, "workspace") });
  if (screen.isJson) {
    screen.document(log);
    return 0;
  }
  for (const { timestamp, run_id: runId, code, output, result } of log.tasks) {
    screen.print(
      screen.style("bold", `${renderTime(timestamp)}${runId === undefined ? "" : `, run ${runId}`}`),
    );
    screen.print(screen.plain(code.trimEnd()));
    for (const text of [output, result === null ? "" : JSON.stringify(result)])
      if (text !== "") screen.print(screen.style("dim", toPlainText(text)));
    screen.print("");
  }
  if (log.tasks.length === 0) screen.note("The session has no programs yet");
  return 0;
};

const removeSession = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const session = readSession(words, "remove");
  const coordinator = await open();
  const isRemoved = await coordinator.removeSession({ session, workspace: readText(options, "workspace") });
  if (screen.isJson) screen.document({ session, isRemoved });
  else if (isRemoved) screen.print(`removed ${toPlainText(session)}`);
  else screen.note("Nothing was removed: there is no such session");
  return 0;
};

const sessionActions: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list: listSessions,
  show: showSession,
  remove: removeSession,
  reset: removeSession,
};

export const sessions: Command = {
  name: "sessions",
  usage: ["sessions", "sessions show SESSION", "sessions remove SESSION"],
  description:
    "The programs of a session share variables, functions and imports. run --session SESSION continues it in a new process: its earlier programs run again with the answers in their journals, so no server is called. Removing a session forgets its variables; its runs stay stored.",
  examples: [
    ["mcp-coordinator sessions", "List them, newest first"],
    ["mcp-coordinator sessions show analysis", "The programs of one, with their results"],
    ["mcp-coordinator sessions remove analysis", "Forget its variables and start again"],
  ],
  options: { workspace: workspaceOption },
  run: async (context) => {
    const [word = "list"] = context.words;
    const action = Object.hasOwn(sessionActions, word) ? sessionActions[word] : undefined;
    if (action === undefined)
      throw misread("sessions", context.words, ["show SESSION", "remove SESSION", "nothing"]);
    return action(context);
  },
};

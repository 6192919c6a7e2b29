// `sessions`: lists the named sessions, shows one, or removes it.
import type { SessionLog } from "../../../contracts/index.js";
import type { Command, CommandContext } from "../command.js";
import { inWorkspace, readText, usage, workspaceOption } from "../read-words.js";
import { renderTable, renderTime, toOneLine, toPlainText } from "../render/plain-text.js";

const lastUse = ({ tasks, started_at }: SessionLog): string => tasks.at(-1)?.timestamp ?? started_at;

const list = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const coordinator = await open();
  const found = await coordinator.listSessionLogs(inWorkspace({}, readText(options, "workspace")));
  if (screen.isJson) {
    screen.document(found);
    return 0;
  }
  if (found.length === 0) {
    screen.note("There are no sessions yet: run --session NAME starts one");
    return 0;
  }
  const rows = found.map((log) => [
    log.session_id,
    String(log.tasks.length),
    renderTime(log.started_at),
    renderTime(lastUse(log)),
    toOneLine(log.tasks.at(-1)?.code ?? ""),
  ]);
  const lines = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["SESSION", "PROGRAMS", "STARTED", "LAST USED", "LAST PROGRAM"],
    style: (row, _column, text) => (row === "head" ? screen.style("bold", text) : text),
  });
  for (const line of lines) screen.print(line);
  return 0;
};

const readName = ([, session, ...more]: readonly string[], what: string): string => {
  if (session !== undefined && more.length === 0) return session;
  throw usage(`${what} a session`, "expected the name of one", "sessions");
};

const show = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const session = readName(words, "show");
  const coordinator = await open();
  const log = await coordinator.showSession(inWorkspace({ session }, readText(options, "workspace")));
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

const remove = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const session = readName(words, "remove");
  const coordinator = await open();
  const isRemoved = await coordinator.removeSession(inWorkspace({ session }, readText(options, "workspace")));
  if (screen.isJson) screen.document({ session, isRemoved });
  else if (isRemoved) screen.print(`removed ${toPlainText(session)}`);
  else screen.note("Nothing was removed: there is no such session");
  return 0;
};

const actions: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  remove,
  reset: remove,
};

export const sessions: Command = {
  name: "sessions",
  usage: ["sessions", "sessions show SESSION", "sessions remove SESSION"],
  description:
    "The programs of a session share variables, functions and imports. run --session NAME continues it in a new process: its earlier programs run again against their journals, and nothing is called. Removing a session (or reset) forgets its variables; its runs stay stored.",
  examples: [
    ["mcp-coordinator sessions", "List them, the newest first"],
    ["mcp-coordinator sessions show analysis", "The programs of one, with their results"],
    ["mcp-coordinator sessions remove analysis", "Start again from nothing"],
  ],
  options: { workspace: workspaceOption },
  run: async (context) => {
    const [word = "list"] = context.words;
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (action === undefined)
      throw usage(`do "${word}" with sessions`, "it is not known, expected show or remove", "sessions");
    return action(context);
  },
};

// `runs`: lists stored runs, shows, follows, cancels or exports one.
import type { RunQuestion, RunSummary } from "../../../contracts/index.js";
import {
  type Coordinator,
  type RunCall,
  type RunDetails,
  renderOwnCommand,
} from "../../../coordinator/index.js";
import { type Command, type CommandContext, pausedExitCode, toExitCode } from "../command.js";
import {
  idHint,
  misread,
  readCount,
  readText,
  usage,
  workspaceOption,
  writeNamedFile,
} from "../read-words.js";
import { noteFailure } from "../render/error.js";
import { cut, plural, renderDuration, renderTable, renderTime, toOneLine } from "../render/plain-text.js";
import { type NextStep, noteCommand, noteMode, noteResume, readNextStep } from "../render/run.js";
import type { Screen, Style } from "../screen.js";
import { followRun, followRuns } from "./follow-runs.js";

const styles: Readonly<Record<string, Style>> = { completed: "green", failed: "red", interrupted: "yellow" };

/** A completed plan or simulation has changed nothing. */
const nameStatus = ({
  status,
  isPlan,
  isSimulated,
}: Pick<RunSummary, "status" | "isPlan" | "isSimulated">): string => {
  if (isPlan === true) return status === "completed" ? "planned" : `plan ${status}`;
  if (isSimulated !== true) return status;
  return status === "completed" ? "simulated" : `simulation ${status}`;
};

const printList = (screen: Screen, runs: readonly ListedRun[]): void => {
  const rows = runs.map(({ startedAt, calls, uncertain, attempts, durationMs, language, ...run }) => [
    run.runId,
    uncertain === 0 ? nameStatus(run) : `${nameStatus(run)}, ${uncertain} uncertain`,
    renderTime(startedAt),
    String(calls),
    String(attempts),
    durationMs === undefined ? "" : renderDuration(durationMs),
    language,
  ]);
  const head = ["RUN", "STATUS", "STARTED", "CALLS", "ATTEMPTS", "TIME", "LANGUAGE"];
  const style = (row: "head" | "body", column: number, text: string): string => {
    if (row === "head") return screen.style("bold", text);
    return column === 1 ? screen.style(styles[text.split(",")[0]?.trim() ?? ""] ?? "dim", text) : text;
  };
  const [title = "", ...lines] = renderTable(rows, { columns: screen.tableColumns, head, style });
  screen.print(title);
  for (const [at, line] of lines.entries()) {
    screen.print(line);
    const waitsFor = runs[at]?.waitsFor;
    if (waitsFor !== undefined)
      screen.print(cut(`    waits for ${toOneLine(waitsFor)}`, screen.tableColumns));
  }
};

/** What a paused run waits for, in a line. */
const describeWaiting = ({ kind, text, server = "", calls: [call, ...more] = [] }: RunQuestion): string => {
  if (kind === "sign-in") return `a sign-in to "${server}"`;
  if (kind === "sampling") return `the client's model, which "${server}" asks`;
  if (kind === "elicitation") return `an answer to "${server}": ${text}`;
  if (kind === "input") return `an answer: ${text}`;
  if (call === undefined) return "approval of its calls";
  const others = more.length === 0 ? "" : ` and ${plural(more.length, "more call")}`;
  return `approval of ${call.server}.${call.tool}${others}`;
};

type ListedRun = RunSummary & { readonly waitsFor?: string | undefined };

const addWaiting = async (
  coordinator: Coordinator,
  run: RunSummary,
  workspace: string | undefined,
): Promise<ListedRun> => {
  if (run.status !== "paused") return run;
  // It may have been resumed or removed since it was listed.
  const state = await coordinator.runStatus({ runId: run.runId, workspace }).catch(() => undefined);
  const question = state?.question ?? state?.result?.question;
  return question === undefined ? run : { ...run, waitsFor: describeWaiting(question) };
};

const toRow = ({ sequence, server, tool, status, decision, code, arguments: given }: RunCall) => [
  String(sequence),
  decision === "captured"
    ? "planned"
    : decision === "simulated"
      ? decision
      : status === "failed"
        ? (code ?? status)
        : status,
  `${server}.${tool}`,
  JSON.stringify(given),
];

const printRun = (screen: Screen, run: RunDetails, next: NextStep): void => {
  screen.print(
    `${run.runId}: ${nameStatus(run)}, attempt ${run.attempts}, started ${renderTime(run.startedAt)}`,
  );
  screen.print("");
  screen.print(screen.plain(run.code.trimEnd()));
  for (const [title, calls] of [
    ["Calls", run.made],
    ["Calls that no longer count", run.abandoned],
  ] as const) {
    if (calls.length === 0) continue;
    screen.print("");
    screen.print(screen.style("bold", title));
    screen.table(calls.map(toRow));
  }
  if (run.logs.length > 0 || run.result !== undefined) screen.print("");
  if (run.result !== undefined) noteMode(screen, run.result);
  for (const { text } of run.logs) screen.print(screen.plain(text));
  printEnd(screen, run, next);
  noteUndo(screen, run, next);
};

/** Whether the run can be undone, or was. */
const noteUndo = (screen: Screen, { runId, undo, undoes }: RunDetails, next: NextStep): void => {
  if (undoes !== undefined) screen.note(`It undoes the calls of ${undoes}`);
  if (undo === undefined) return;
  const { steps, undoId, undoStatus } = undo;
  const left = steps.filter(({ state }) => state === "ready" || state === "uncertain").length;
  if (undoStatus !== undefined)
    screen.note(left === 0 ? `Undone by ${undoId}` : `Undone in part by ${undoId}: ${left} left`);
  if (left > 0) noteCommand(screen, "This undoes its calls", next.toCommand(["undo", runId]));
};

/** How a run ended, below what it printed. */
const printEnd = (screen: Screen, { result, status, runId }: RunDetails, next: NextStep): void => {
  if (result?.value !== undefined) {
    const { value } = result;
    screen.print(screen.plain(typeof value === "string" ? value : JSON.stringify(value, undefined, 2)));
  }
  if (result?.error !== undefined) noteFailure(screen, result.error);
  if (result?.question !== undefined) noteResume(screen, result, next);
  if (status === "interrupted")
    noteCommand(
      screen,
      "Its process ended before the run did. This resumes it without repeating its calls",
      next.toCommand(["resume", runId]),
    );
};

/** The exit code that the run itself would have had. */
const toRunExitCode = ({ status, result }: RunDetails): number => {
  if (status === "paused") return pausedExitCode;
  if (result?.error !== undefined) return toExitCode(result.error);
  return status === "completed" ? 0 : 1;
};

const readId = (words: readonly string[], what: string, wanted: number): string => {
  const [runId] = words;
  if (runId !== undefined && words.length === wanted) return runId;
  const form = wanted === 1 ? "RUN_ID" : "RUN_ID FILE";
  throw usage(`${what} a run`, `expected ${form} after "${what}"`, "runs", idHint);
};

const list = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const limit = readCount(options, "limit", "runs") ?? 20;
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const listed = await coordinator.listRuns({ limit, workspace });
  const found = await Promise.all(listed.map((run) => addWaiting(coordinator, run, workspace)));
  if (screen.isJson) screen.document(found);
  else if (found.length === 0) screen.note("There are no stored runs");
  else printList(screen, found);
  const waiting = found.find(({ waitsFor }) => waitsFor !== undefined);
  if (waiting !== undefined && !screen.isJson)
    noteCommand(
      screen,
      `This shows what ${waiting.runId} waits for, and how to answer`,
      coordinator.toCommand(["runs", waiting.runId], workspace),
    );
  return 0;
};

const readNext = (
  { screen, options }: CommandContext,
  coordinator: Coordinator,
  { runId, status, result }: RunDetails,
): Promise<NextStep> => {
  const question = status === "paused" ? result?.question : undefined;
  const workspace = readText(options, "workspace");
  return readNextStep({ screen, coordinator, workspace }, { runId, question });
};

const showOne = async (context: CommandContext, runId: string): Promise<number> => {
  const { screen, open, options } = context;
  const coordinator = await open();
  const run = await coordinator.showRun({ runId, workspace: readText(options, "workspace") });
  if (screen.isJson) screen.document(run);
  else printRun(screen, run, await readNext(context, coordinator, run));
  return 0;
};

const follow = async (context: CommandContext, runId: string | undefined): Promise<number> => {
  const { screen, open, options, signal } = context;
  const coordinator = await open();
  const followOptions = { screen, coordinator, workspace: readText(options, "workspace"), signal };
  if (runId === undefined) {
    await followRuns(followOptions);
    return 0;
  }
  const ended = await followRun(followOptions, runId);
  if (ended === undefined) return 0;
  if (screen.isJson)
    screen.print(JSON.stringify({ event: "ended", runId, status: ended.status, result: ended.result }));
  else {
    printEnd(screen, ended, await readNext(context, coordinator, ended));
    screen.note(screen.styleNote("dim", nameStatus(ended)));
  }
  return toRunExitCode(ended);
};

const show = (context: CommandContext): Promise<number> =>
  showOne(context, readId(context.words.slice(1), "show", 1));

const cancel = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const runId = readId(words.slice(1), "cancel", 1);
  const coordinator = await open();
  const request = { runId, workspace: readText(options, "workspace") };
  const before = await coordinator.runStatus(request);
  const after = await screen.during("stopping it", coordinator.cancelRun(request));
  if (screen.isJson) screen.document(after);
  else if (before.status !== "running") screen.note(`Nothing to cancel: the run is ${before.status}`);
  else screen.print(`cancelled ${runId}`);
  return 0;
};

const exportFile = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const runId = readId(words.slice(1), "export", 2);
  const file = words[2] ?? "";
  const cassette = await (await open()).exportRun({ runId, workspace: readText(options, "workspace") });
  await writeNamedFile(file, cassette, "runs");
  if (screen.isJson) screen.document({ runId, file, bytes: Buffer.byteLength(cassette) });
  else screen.note(`Wrote ${file}: replay it with "${renderOwnCommand()} replay ${file}"`);
  return 0;
};

const actions: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  cancel,
  export: exportFile,
};

export const runs: Command = {
  name: "runs",
  usage: [
    "runs [--limit N] [--follow]",
    "runs RUN_ID [--follow]",
    "runs cancel RUN_ID",
    "runs export RUN_ID FILE",
  ],
  description:
    "Every run is stored with its program, its calls and its result. The list shows the newest first. --follow shows calls as they happen, in this and other processes, and what background runs print: of one run until it ends, or of all until Ctrl-C. With --json it prints one JSON document per line. cancel stops a run of any process; its calls stay made, and it can be resumed. An exported run can be replayed without any server; the file contains the original arguments and answers.",
  examples: [
    ["mcp-coordinator runs", "The last 20"],
    ["mcp-coordinator runs 3f2a9c41d07b", "One of them in full"],
    ["mcp-coordinator runs 3f2a9c41d07b --follow", "What it prints and calls, until it ends"],
    ["mcp-coordinator runs --follow", "What agents are doing now"],
    ["mcp-coordinator runs export 3f2a9c41d07b report.recording", "One of them as a file"],
  ],
  options: {
    limit: { type: "string", value: "N", summary: "Maximum number of runs (default 20)" },
    follow: { type: "boolean", short: "f", summary: "Show what happens until the run ends, or until Ctrl-C" },
    workspace: workspaceOption,
  },
  run: async (context) => {
    const [word = "list", ...more] = context.words;
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (context.options.facts.has("follow")) {
      const [runId, ...others] = context.words.filter((one) => !["list", "show"].includes(one));
      if (others.length > 0) throw usage("follow runs", "expected one id or none", "runs");
      return follow(context, runId);
    }
    if (action !== undefined) return action(context);
    if (more.length === 0) return showOne(context, word);
    throw misread("runs", context.words, ["RUN_ID", "cancel RUN_ID", "export RUN_ID FILE"]);
  },
};

// `runs`: lists stored runs, shows one, or exports it.
import { writeFile } from "node:fs/promises";
import type { RunSummary } from "../../../contracts/index.js";
import { type RunCall, type RunDetails, renderOwnCommand } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { inWorkspace, readCount, readText, usage, workspaceOption } from "../read-words.js";
import { renderDuration, renderTime, toPlainText } from "../render/plain-text.js";
import { type NextStep, noteFailure, notePlan, noteResume } from "../render/run.js";
import { renderTable } from "../render/table.js";
import type { Screen, Style } from "../screen.js";
import { readNextStep } from "./run.js";

const styles: Readonly<Record<string, Style>> = { completed: "green", failed: "red", interrupted: "yellow" };

/** A completed plan has changed nothing. */
const nameStatus = ({ status, isPlan }: Pick<RunSummary, "status" | "isPlan">): string =>
  isPlan !== true ? status : status === "completed" ? "planned" : `plan ${status}`;

const printList = (screen: Screen, runs: readonly RunSummary[]): void => {
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
  for (const line of renderTable(rows, { columns: screen.tableColumns, head, style })) screen.print(line);
};

const toRow = ({ sequence, server, tool, status, decision, code, arguments: given }: RunCall) => [
  String(sequence),
  decision === "captured" ? "planned" : status === "failed" ? (code ?? status) : status,
  `${server}.${tool}`,
  JSON.stringify(given),
];

const printRun = (screen: Screen, run: RunDetails, next: NextStep): void => {
  screen.print(`${run.runId}: ${nameStatus(run)}, attempt ${run.attempts}, started ${run.startedAt}`);
  screen.print("");
  screen.print(screen.plain(run.code.trimEnd()));
  for (const [title, calls] of [
    ["Calls", run.made],
    ["Calls that no longer count", run.abandoned],
  ] as const) {
    if (calls.length === 0) continue;
    screen.print("");
    screen.print(screen.style("bold", title));
    for (const line of renderTable(calls.map(toRow), { columns: screen.tableColumns })) screen.print(line);
  }
  const { result } = run;
  if (result === undefined) return;
  screen.print("");
  if (result.plan !== undefined) notePlan(screen, result.plan);
  for (const { text } of result.logs) screen.print(screen.plain(text));
  if (result.value !== undefined) screen.print(toPlainText(JSON.stringify(result.value, undefined, 2)));
  if (result.error !== undefined) noteFailure(screen, result.error);
  if (result.question !== undefined) noteResume(screen, result, next);
};

const readId = (words: readonly string[], what: string, wanted: number): string => {
  const [runId] = words;
  if (runId !== undefined && words.length === wanted) return runId;
  throw usage(`${what} a run`, `${words.length} words are given, expected ${wanted}`, "runs");
};

const list = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const limit = readCount(options, "limit", "runs") ?? 20;
  const found = await (await open()).listRuns(inWorkspace({ limit }, readText(options, "workspace")));
  if (screen.isJson) screen.document(found);
  else if (found.length === 0) screen.note("There are no stored runs");
  else printList(screen, found);
  return 0;
};

const show = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const runId = readId(words.slice(1), "show", 1);
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const run = await coordinator.showRun(inWorkspace({ runId }, workspace));
  const question = run.status === "paused" ? run.result?.question : undefined;
  if (screen.isJson) screen.document(run);
  else
    printRun(
      screen,
      run,
      await readNextStep(
        { screen, coordinator, workspace },
        question === undefined ? { runId } : { runId, question },
      ),
    );
  return 0;
};

const exportFile = async ({ screen, open, words, options }: CommandContext): Promise<number> => {
  const runId = readId(words.slice(1), "export", 2);
  const file = words[2] ?? "";
  const cassette = await (await open()).exportRun(inWorkspace({ runId }, readText(options, "workspace")));
  await writeFile(file, cassette).catch((error: NodeJS.ErrnoException) => {
    throw usage(
      `write "${file}"`,
      `the system said ${error.code}, expected a file that can be written`,
      "runs",
    );
  });
  if (screen.isJson) screen.document({ runId, file, bytes: Buffer.byteLength(cassette) });
  else screen.note(`Wrote ${file}: replay it with "${renderOwnCommand()} replay ${file}"`);
  return 0;
};

const actions: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  export: exportFile,
};

export const runs: Command = {
  name: "runs",
  usage: ["runs [--limit N]", "runs show RUN_ID", "runs export RUN_ID FILE"],
  description:
    "Every run is stored with its program, its calls and its result. The list shows the newest first. An exported run can be replayed without any server; the file contains the original arguments and answers.",
  examples: [
    ["mcp-coordinator runs", "The last 20"],
    ["mcp-coordinator runs show 3f2a9c41d07b --json", "One of them in full"],
    ["mcp-coordinator runs export 3f2a9c41d07b report.cassette", "One of them as a file"],
  ],
  options: {
    limit: { type: "string", value: "N", summary: "Maximum number of runs (default 20)" },
    workspace: workspaceOption,
  },
  run: async (context) => {
    const [word = "list"] = context.words;
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (action === undefined)
      throw usage(`do "${word}" with runs`, `it is not known, expected show or export`, "runs");
    return action(context);
  },
};

// `runs --follow`: what runs of this and other processes do, as it happens: one run, or every run of the workspace.
import { setTimeout as delay } from "node:timers/promises";
import type { LogLine, RunStatus, RunSummary } from "../../../contracts/index.js";
import type { Coordinator, RunCall, RunDetails } from "../../../coordinator/index.js";
import { cut, renderDuration, toOneLine } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

/** Journals are read this often. */
const pollMs = 300;
/** Runs that are looked at. Older ones have ended. */
const maxRuns = 50;

interface FollowOptions {
  readonly screen: Screen;
  readonly coordinator: Coordinator;
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

type RunEvent =
  | { readonly event: "started"; readonly runId: string; readonly startedAt: string }
  | { readonly event: "printed"; readonly runId: string; readonly line: LogLine }
  | { readonly event: "call"; readonly runId: string; readonly call: RunCall }
  | { readonly event: "ended"; readonly runId: string; readonly status: RunStatus };

/** A pause that Ctrl-C ends. */
const pause = (signal: AbortSignal): Promise<unknown> => delay(pollMs, undefined, { signal }).catch(() => {});

/** The news of one run since it was last looked at. A call is news when it is answered. */
const openRunEvents = (runId: string) => {
  let lines = 0;
  let attempt = 1;
  const calls = new Set<number>();
  return (details: RunDetails): readonly RunEvent[] => {
    // A resumed run prints everything again.
    if (details.attempts !== attempt) lines = 0;
    attempt = details.attempts;
    const printed = details.logs.slice(lines);
    lines = details.logs.length;
    const isOver = details.status !== "running";
    const ended = details.made.filter(
      ({ sequence, status }) =>
        !calls.has(sequence) && (isOver || status === "answered" || status === "failed"),
    );
    for (const { sequence } of ended) calls.add(sequence);
    return [
      ...ended.map((call) => ({ event: "call", runId, call }) as const),
      ...printed.map((line) => ({ event: "printed", runId, line }) as const),
    ];
  };
};

const renderFollowedCall = ({ server, tool, status, code, decision, durationMs }: RunCall): string => {
  const isUnmade = decision === "captured" || decision === "simulated";
  const mark = status === "answered" ? (isUnmade ? "○" : "✓") : status === "held" ? "…" : "✗";
  const time = durationMs === undefined ? "" : `  ${renderDuration(durationMs)}`;
  return `${mark} ${server}.${tool}${status === "answered" ? "" : `  ${code ?? status}`}${time}`;
};

const showEvent = (screen: Screen, event: RunEvent, isOnly: boolean): void => {
  if (screen.isJson) {
    screen.print(JSON.stringify(event));
    return;
  }
  const dim = (text: string): void =>
    screen.note(
      screen.styleNote("dim", cut(toOneLine(isOnly ? text : `${event.runId}  ${text}`), screen.columns)),
    );
  if (event.event === "started") dim("started");
  else if (event.event === "ended") dim(event.status);
  else if (event.event === "call") dim(renderFollowedCall(event.call));
  else if (isOnly) screen.print(screen.plain(event.line.text));
  else screen.print(`${event.runId}  ${screen.plain(event.line.text)}`);
};

/** Follows one run until it ends, and returns how it ended. Undefined if the person stops looking. */
export const followRun = async (
  { screen, coordinator, workspace, signal }: FollowOptions,
  runId: string,
): Promise<RunDetails | undefined> => {
  const readEvents = openRunEvents(runId);
  for (;;) {
    const details = await coordinator.showRun({ runId, workspace });
    for (const event of readEvents(details)) showEvent(screen, event, true);
    if (details.status !== "running") return details;
    await pause(signal);
    if (signal.aborted) return undefined;
  }
};

/** Follows every run that is in progress or starts from now on, until Ctrl-C. */
export const followRuns = async ({
  screen,
  coordinator,
  workspace,
  signal,
}: FollowOptions): Promise<void> => {
  const list = (): Promise<readonly RunSummary[]> => coordinator.listRuns({ limit: maxRuns, workspace });
  const known = new Map((await list()).map(({ runId, status, attempts }) => [runId, { status, attempts }]));
  const news = new Map<string, ReturnType<typeof openRunEvents>>();
  const show = async (runId: string): Promise<void> => {
    const readEvents = news.get(runId) ?? openRunEvents(runId);
    news.set(runId, readEvents);
    // It may have been removed in the meantime.
    const details = await coordinator.showRun({ runId, workspace }).catch(() => undefined);
    if (details === undefined) return;
    for (const event of readEvents(details)) showEvent(screen, event, false);
  };
  if (!screen.isJson) screen.note("Following the runs of this workspace; Ctrl-C ends it");
  for (const [runId, { status }] of known) if (status === "running") await show(runId);
  while (!signal.aborted) {
    await pause(signal);
    for (const { runId, status, attempts, startedAt } of (await list()).toReversed()) {
      const before = known.get(runId);
      known.set(runId, { status, attempts });
      const isNew = before === undefined || before.attempts !== attempts;
      if (isNew) showEvent(screen, { event: "started", runId, startedAt }, false);
      if (isNew || before?.status === "running") await show(runId);
      if (status !== "running" && (isNew || before?.status === "running"))
        showEvent(screen, { event: "ended", runId, status }, false);
    }
  }
};

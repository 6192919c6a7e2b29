// Applies the guardrails to one run: to its program before anything is called, to what it says while it runs, and to its result.
import {
  type CoordinatorError,
  type Json,
  type LogLine,
  type ProgramDiagnostic,
  type RunError,
  type RunQuestion,
  type RunRequest,
  type RunResult,
  toCoordinatorError,
} from "../../contracts/index.js";
import { openAuditOf } from "../audit/open-audit.js";
import type { ReachedAdapters } from "../checks/collect-adapters.js";
import type { Host } from "../host/host.js";
import {
  blockedBy,
  findHits,
  findHitsNow,
  guardOutput,
  judge,
  listGuardrails,
  warnOf,
} from "../policies/guard-texts.js";
import type { RunLabels } from "../policies/run-labels.js";
import type { AdmittedRun, Run } from "./admit.js";

const maxExcerpt = 200;

const toPosition = (text: string, at: number) => {
  const before = text.slice(0, at).split("\n");
  const line = before.length;
  const excerpt = (text.split("\n", line)[line - 1] ?? "").trim().slice(0, maxExcerpt);
  return { line, column: (before.at(-1)?.length ?? 0) + 1, excerpt };
};

/** What guardrails say about a program and what it imports. */
export const findBlockedCode = async (
  { configuration }: Pick<Host, "configuration">,
  code: string,
  { modules }: ReachedAdapters,
): Promise<readonly (ProgramDiagnostic & { readonly error: CoordinatorError })[]> => {
  const guardrails = listGuardrails(configuration, "code");
  if (guardrails.length === 0) return [];
  const texts = [{ file: undefined, text: code }, ...modules.map(({ file, text }) => ({ file, text }))];
  const found = await Promise.all(
    texts.map(async ({ file, text }) =>
      (await findHits(guardrails, text)).map((hit) => {
        const position = { file, ...toPosition(text, hit.at) };
        const error = blockedBy("run the program", hit, position);
        const isError = hit.guardrail.mode === "block";
        const message = isError ? error.message : warnOf(file ?? "the program", hit);
        const severity = isError ? ("error" as const) : ("warning" as const);
        return { ...position, severity, code: "GUARDRAIL_BLOCKED", message, hint: error.hint, error };
      }),
    ),
  );
  return found.flat();
};

const openAudit = ({ host, runId, request }: Run, server: string) =>
  openAuditOf(host, {
    runId,
    caller: request.caller,
    code: request.code,
    approve: host.configuration.settings.approve,
  })?.({ server, arguments: null });

/** Throws GUARDRAIL_BLOCKED with the line. */
export const guardCode = async (run: AdmittedRun, adapters: ReachedAdapters): Promise<void> => {
  const found = await findBlockedCode(run.host, run.request.code, adapters);
  for (const { severity, error, line, message } of found) {
    const isError = severity === "error";
    const rule = (error.details as { readonly guardrail: string }).guardrail;
    const decided = {
      decision: isError ? "denied" : "warned",
      code: isError ? error.code : undefined,
    } as const;
    await openAudit(run, "(program)")?.noteGuardrail({ ...decided, rule });
    if (!isError) run.warnings.add(`${message} (line ${line})`);
  }
  const blocked = found.find(({ severity }) => severity === "error");
  if (blocked !== undefined) throw blocked.error;
};

/** The text, or that it is withheld. For texts that are passed on while the run is in progress. */
const guardNow = ({ configuration }: Pick<Host, "configuration">, text: string): string => {
  const { blocking } = judge(findHitsNow(listGuardrails(configuration, "output"), text));
  return blocking === undefined ? text : `[${blockedBy("show this", blocking).message}]`;
};

/** Takes what the program prints, for the journal and the listeners. */
export const toGuardedLog = (
  { host, request: { onLog }, journal: { print } }: AdmittedRun,
  labels?: Pick<RunLabels, "show">,
): RunRequest["onLog"] =>
  print === undefined && onLog === undefined && labels === undefined
    ? undefined
    : (line) => {
        const shown = { ...line, text: guardNow(host, line.text) };
        labels?.show(shown.text);
        print?.(shown);
        onLog?.(shown);
      };

export const guardProgress = (
  host: Pick<Host, "configuration">,
  onProgress: RunRequest["onProgress"],
): RunRequest["onProgress"] =>
  onProgress && ((progress) => onProgress({ ...progress, message: guardNow(host, progress.message) }));

/** Undefined if the question must not be shown: then nobody is asked. */
export const guardQuestion = async (run: Run, question: RunQuestion): Promise<RunQuestion | undefined> =>
  (await findBlocked(run, "a question", question)) === undefined ? question : undefined;

/** The error, if a guardrail blocks the part of a result. */
const findBlocked = async (run: Run, what: string, part: unknown): Promise<CoordinatorError | undefined> => {
  if (part === undefined) return undefined;
  try {
    const audit = openAudit(run, "(output)");
    const warnings = await guardOutput(run.host.configuration, { what, value: part as Json, audit });
    for (const warning of warnings) run.warnings.add(warning);
    return undefined;
  } catch (thrown) {
    return toCoordinatorError(thrown);
  }
};

const toRunError = ({ code, kind, message, hint }: CoordinatorError): RunError => ({
  code,
  kind,
  message,
  hint,
});

/** Withholds what guardrails block in a result, and adds all warnings of the run. */
export const guardResult = async (run: Run, result: RunResult): Promise<RunResult> => {
  const guarded =
    listGuardrails(run.host.configuration, "output").length === 0 ? result : await withhold(run, result);
  if (run.warnings.size === 0) return guarded;
  return { ...guarded, notes: [...(guarded.notes ?? []), ...run.warnings] };
};

/** What an error quotes, such as the line of the program, is withheld on its own: the rest says why the run failed. */
const guardError = async (run: Run, error: RunError): Promise<RunError> => {
  const { code, kind, line, column, omitted, excerpt, others, trace, details, ...texts } = error;
  const position = { code, kind, line, column };
  const unseen = await findBlocked(run, "the error", texts);
  if (unseen !== undefined) return { ...toRunError(unseen), ...position };
  const quoted = await findBlocked(run, "what the error quotes", { excerpt, others, trace, details });
  return quoted === undefined ? error : { ...texts, ...position };
};

const withhold = async (run: Run, result: RunResult): Promise<RunResult> => {
  let guarded: RunResult = { ...result, logs: await guardLogs(run, result.logs) };
  const { error } = result;
  if (error !== undefined) guarded = { ...guarded, error: await guardError(run, error) };
  for (const [key, what] of [
    ["notes", "the notes"],
    ["warnings", "the warnings"],
    ["artifacts", "the list of artifacts"],
  ] as const) {
    const blocked = await findBlocked(run, what, result[key]);
    if (blocked === undefined) continue;
    guarded = { ...guarded, [key]: undefined };
    run.warnings.add(blocked.message);
  }
  // Without these, the run has no result: it failed, and can be resumed with another program.
  for (const [key, what] of [
    ["value", "the returned value"],
    ["question", "the question of the run"],
    ["plan", "the plan"],
  ] as const) {
    const blocked = await findBlocked(run, what, result[key]);
    if (blocked !== undefined)
      guarded = {
        ...guarded,
        [key]: undefined,
        status: "failed",
        error: guarded.error ?? toRunError(blocked),
      };
  }
  return guarded;
};

/** Only lines that are blocked are withheld, unless what is blocked is written over several. */
const guardLogs = async (run: Run, logs: readonly LogLine[]): Promise<readonly LogLine[]> => {
  if (logs.length === 0) return logs;
  const join = (lines: readonly LogLine[]): string => lines.map(({ text }) => text).join("\n");
  const all = await findBlocked(run, "what the program printed", join(logs));
  if (all === undefined) return logs;
  const guardrails = listGuardrails(run.host.configuration, "output");
  const lines: LogLine[] = [];
  for (const line of logs) {
    const { blocking } = judge(await findHits(guardrails, line.text));
    lines.push(
      blocking === undefined ? line : { ...line, text: `[${blockedBy("show this line", blocking).message}]` },
    );
  }
  const { blocking } = judge(await findHits(guardrails, join(lines)));
  const [first] = logs;
  return blocking === undefined || first === undefined ? lines : [{ ...first, text: `[${all.message}]` }];
};

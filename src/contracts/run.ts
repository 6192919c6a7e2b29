// One execution as its caller sees it: the request, the calls it made, the result.
import type { ErrorCode, ErrorKind } from "./errors.js";
import type { Language, LogLine, StopReason } from "./executor.js";
import type { Json, JsonObject } from "./json.js";
import type { KeptFacts } from "./kept.js";
import type { Limits } from "./limits.js";
import type { PeopleAnswer, RunQuestion } from "./questions.js";

/** How a returned value is written for a model; `structured` is JSON with a copy as structured content. */
export type OutputMode = "json" | "text" | "toon" | "structured";

export interface RunRequest {
  /** The program: TypeScript with imports, top-level await and return; a Markdown fence around it is taken off. */
  readonly code: string;
  readonly language?: Language | undefined;
  /** Runs of one session share variables, functions and imports; without it every run is fresh. */
  readonly session?: string | undefined;
  /** Whose files, memory, states and sessions the program sees: a customer's name. @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** Only these servers may be called. */
  readonly servers?: readonly string[] | undefined;
  /** Answer calls with made-up values that fit the tools' types: of every server, or of these. Nothing reaches them. */
  readonly simulate?: boolean | readonly string[] | undefined;
  /** A profile of the settings: its restrictions hold, the request can only narrow them. */
  readonly profile?: string | undefined;
  /** Check the program before it runs, and refuse it for a certain mistake. @default true */
  readonly isChecked?: boolean | undefined;
  /** Refuse calls that the check did not find in the program. @default false */
  readonly staysWithinManifest?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Limits that an agent asks for: they can only lower those of the settings and of `limits`. */
  readonly agentLimits?: Partial<Limits> | undefined;
  /** It comes over HTTP: the skills that it saves belong to its workspace, also in the default one. @default false */
  readonly isCaller?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Printed lines as they happen. */
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Tool calls as they end. */
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** Answers what the run asks people; undefined leaves it paused. Without it a run that asks is paused at once. */
  readonly onQuestion?:
    | ((question: RunQuestion, runId: string) => Promise<PeopleAnswer | undefined>)
    | undefined;
  /** Calls that people must allow, beside those of the settings: "server.tool" with "*" for any part, "writes", "destructive". */
  readonly approve?: readonly string[] | undefined;
  /** Lines in which tools tell how far they are. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Write down what a model reads of it, within `limits.outputTokens`: the result has it as `shown`. */
  readonly output?: OutputMode | undefined;
  /** `plan`: reads are made, writes are only written down and answered with made-up values. @default "run" */
  readonly mode?: "run" | "plan" | undefined;
  /** What it is for, in the session's log. */
  readonly description?: string | undefined;
  /** Wait until the meter is complete, however much there is to count. @default false: for answers up to 1 MB together */
  readonly countTokens?: boolean | undefined;
}

export interface ToolProgress {
  readonly server: string;
  readonly tool: string;
  readonly message: string;
}

/** A call that a plan would make. */
export interface PlannedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The program may have looked at a made-up answer before it made this call: it cannot be made as it stands. */
  readonly usesSimulated?: true | undefined;
  /** The first of the made-up answers that the program may have looked at. */
  readonly dependsOn?: readonly string[] | undefined;
}

/** What a program would do. */
export interface RunPlan {
  readonly planId: string;
  readonly calls: readonly PlannedCall[];
  /** What the program printed and returned may be computed from made-up answers. */
  readonly usesSimulated?: true | undefined;
  /** Reads that do not show what an earlier call of the plan would change. */
  readonly warnings?: readonly string[] | undefined;
  /** What a person types to carry it out. */
  readonly command?: string | undefined;
}

/** One mistake in a program. An error is certain and refused; a warning is told and the program runs. */
export interface ProgramDiagnostic {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** The adapter's file that it is in, e.g. `servers/github/triage.ts`; absent when it is in the program. */
  readonly file?: string | undefined;
  /** Position in the program as it was given, starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
  readonly message: string;
  /** The next step: the nearest name, the exact signature, an example. */
  readonly hint?: string | undefined;
}

/** What a program can do, found without running it. */
export interface EffectManifest {
  readonly calls: readonly {
    readonly server: string;
    readonly tool: string;
    readonly isReadOnly: boolean;
    readonly count: "once" | "many";
    /** Arguments that are literals in the program. */
    readonly constants: JsonObject;
  }[];
  /** It makes calls whose tool is only known when it runs. */
  readonly hasDynamicCalls: boolean;
}

/** One tool call of a run. No argument or answer is in it, only their sizes. */
export interface CallRecord {
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  readonly status: "answered" | "failed";
  readonly code?: string | undefined;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly argumentBytes: number;
  readonly answerBytes: number;
  /** It was made before, and answered from the journal. */
  readonly isReplayed?: true | undefined;
  /** It was not made: it is part of the plan. */
  readonly isCaptured?: true | undefined;
}

export interface RunError {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string;
  /** The adapter's file that the position is in; absent when it is in the program. */
  readonly file?: string | undefined;
  /** Position in the program as it was given, starting at 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The program's text at that line. */
  readonly excerpt?: string | undefined;
  /** Other mistakes that the check found, one a line. */
  readonly others?: readonly string[] | undefined;
  readonly details?: unknown;
}

export interface RunStatistics {
  readonly durationMs: number;
  readonly memoryBytes?: number | undefined;
  /** Bytes of the answers the program received: what stayed out of the model. */
  readonly answerBytes: number;
  /** Bytes printed and returned: what goes to the model. */
  readonly outputBytes: number;
  /** Tokens that the model reads of this run (o200k): the meter's `returnedTokens`. */
  readonly outputTokens?: number | undefined;
  /** Names of the tools that were called, `server.tool`, each once. */
  readonly toolsCalled: readonly string[];
}

/**
 * What a run cost the model in tokens, and what it spared it: counted with the o200k tokenizer, each text by itself.
 * Definitions, and that a model reads its whole history again in every turn, are left out: they come on top.
 */
export interface RunMeter {
  /** The program as the model wrote it: `{"name":"run_code","arguments":…}`. */
  readonly programTokens: number;
  /** What the model reads of this run: the texts of the `run_code` answer. */
  readonly returnedTokens: number;
  /** The calls as the model would have written them one by one: `{"name":…,"arguments":…}`. */
  readonly callTokens: number;
  /** The answers as the model would have read them: their texts, images and other binary data left out. */
  readonly answerTokens: number;
  /** Of the answers, what the model was spared: `answerTokens` without `returnedTokens`, never below 0. */
  readonly keptTokens: number;
  /** Calls and answers less program and output. Below 0, calling the tools directly would have been cheaper. */
  readonly savedTokens: number;
}

/** A part of the output that was too long for a model. */
export interface ShownCut {
  readonly of: "printed" | "returned" | "error";
  /** All of it. */
  readonly bytes: number;
  readonly unit: "items" | "fields" | "lines";
  readonly total: number;
  /** What is shown, in words. */
  readonly shown: string;
  /** The program that reads on. */
  readonly program?: string | undefined;
  /** Under which it is kept whole. */
  readonly id?: string | undefined;
  /** Why it is not: the code of an error. */
  readonly problem?: string | undefined;
}

export interface ShownImage {
  readonly data: string;
  readonly mimeType: string;
}

/** What a model reads of a run. */
export interface ShownOutput {
  readonly texts: readonly string[];
  readonly images: readonly ShownImage[];
  readonly cuts: readonly ShownCut[];
  readonly structured?: JsonObject | undefined;
}

export interface RunResult {
  readonly runId: string;
  /** `paused`: it waits for the answer to `question`, and is gone on with by it. */
  readonly status: "completed" | "failed" | "stopped" | "paused";
  readonly question?: RunQuestion | undefined;
  readonly stopReason?: StopReason | undefined;
  /** What the program returned; absent when it returned nothing. */
  readonly value?: Json | undefined;
  readonly logs: readonly LogLine[];
  readonly error?: RunError | undefined;
  /** What the check found that is no certain mistake. */
  readonly warnings?: readonly ProgramDiagnostic[] | undefined;
  /** What the program can do, as the check found it. */
  readonly manifest?: EffectManifest | undefined;
  readonly calls: readonly CallRecord[];
  /** Files that the program made of its results, in order. */
  readonly artifacts?: readonly KeptFacts[] | undefined;
  /** What a model reads of it, when `output` asked for that. */
  readonly shown?: ShownOutput | undefined;
  /** Its calls are kept: it can be gone on with, and they are not made again. */
  readonly isResumable?: true | undefined;
  /** What a run of mode `plan` would do. */
  readonly plan?: RunPlan | undefined;
  /** Servers whose answers were made up, because `simulate` asked for that. */
  readonly simulated?: readonly string[] | undefined;
  readonly durationMs: number;
  readonly statistics: RunStatistics;
  /** Tokens, counted. Absent while more than 1 MB is being counted: `readMeter` waits for it. */
  readonly meter?: RunMeter | undefined;
}

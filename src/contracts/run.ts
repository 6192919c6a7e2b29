// One run as its caller sees it: the request, its calls, the result.
import type { ErrorCode, ErrorKind } from "./errors.js";
import type { Language, LogLine, StopReason } from "./executor.js";
import type { Json, JsonObject } from "./json.js";
import type { Limits } from "./limits.js";
import type { EffectManifest } from "./policy.js";
import type { PeopleAnswer, RunQuestion } from "./questions.js";
import type { StoredFacts } from "./workspace.js";

/** The format of a returned value for a model. `structured` is JSON with a copy as structured content. */
export type OutputMode = "json" | "text" | "toon" | "structured";

/** A program for `runCode`, with what it may use and who answers its questions. */
export interface RunRequest {
  /** The program: TypeScript with imports, top-level await and return. A Markdown fence around it is removed. */
  readonly code: string;
  readonly language?: Language | undefined;
  /** Runs of one session share variables, functions and imports. Without a session every run is fresh. */
  readonly session?: string | undefined;
  /** Whose files, memory, states and sessions the program sees, such as the name of a user or project. @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** Only these servers may be called. */
  readonly servers?: readonly string[] | undefined;
  /** Answer calls with made-up values that match the tools' types: for every server, or for these. No server is called. */
  readonly simulate?: boolean | readonly string[] | undefined;
  /** A profile of the settings. Its restrictions apply; the request can only narrow them. */
  readonly profile?: string | undefined;
  /** Check the program before it runs, and refuse it for a certain error. @default true */
  readonly isChecked?: boolean | undefined;
  /** Refuse calls that the check did not find in the program. @default false */
  readonly staysWithinManifest?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Limits that an agent requests. They can only lower those of the settings and of `limits`. */
  readonly agentLimits?: Partial<Limits> | undefined;
  /** The run comes over HTTP: skills that it saves belong to its workspace, also in the default one. @default false */
  readonly isCaller?: boolean | undefined;
  /** The name of the authenticated caller, for rules on callers. Agents cannot set it. */
  readonly caller?: string | undefined;
  /** Identifies the model that reads the run: labels of what it has read apply to all its runs. @default one for each workspace and caller */
  readonly conversation?: object | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Write the journal from the start, with what the program prints, so that other processes can follow the run. @default false */
  readonly isBackground?: boolean | undefined;
  /** Called when the program has passed its check and starts. */
  readonly onStart?: (() => void) | undefined;
  /** Printed lines as they happen. */
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Tool calls as they end. */
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** Answers the run's questions to people; undefined leaves the run paused. Without it a run that asks pauses at once. */
  readonly onQuestion?:
    | ((question: RunQuestion, runId: string) => Promise<PeopleAnswer | undefined>)
    | undefined;
  /** `onQuestion`, or the client that resumes the run, also answers questions of the kind `sampling`. @default false */
  readonly canSample?: boolean | undefined;
  /** Calls that need approval, in addition to those of the settings: "server.tool" with "*" for any part, "writes", "destructive". */
  readonly approve?: readonly string[] | undefined;
  /** Progress lines of tools. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Render what a model reads of the run, within `limits.outputTokens`. The result has it as `shown`. */
  readonly output?: OutputMode | undefined;
  /** `plan`: make reads; record writes and answer them with made-up values. @default "run" */
  readonly mode?: "run" | "plan" | undefined;
  /** The run whose calls it undoes and its last attempt, set by `undoRun`. `session`: whose tokens it may use. */
  readonly undoes?:
    | { readonly runId: string; readonly attempt: number; readonly session?: string | undefined }
    | undefined;
  /** Its purpose, for the session's log. */
  readonly description?: string | undefined;
  /** Wait until the meter is complete, however much there is to count. @default false: for answers up to 1 MB in total */
  readonly countTokens?: boolean | undefined;
}

/** A progress report of a tool during a call. */
export interface ToolProgress {
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  /** How far the tool is. Absent for log messages and for what we report ourselves. */
  readonly progress?: number | undefined;
  /** The value of `progress` at the end, if the server knows it. */
  readonly total?: number | undefined;
}

/** A call that a plan would make. */
export interface PlannedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The program may have used a made-up answer before this call, so the call cannot be made as it is. */
  readonly usesSimulated?: true | undefined;
  /** The first made-up answer that the program may have used. */
  readonly dependsOn?: readonly string[] | undefined;
}

/** What a program would do. */
export interface RunPlan {
  readonly planId: string;
  readonly calls: readonly PlannedCall[];
  /** What the program printed and returned may be based on made-up answers. */
  readonly usesSimulated?: true | undefined;
  /** Reads that do not reflect what an earlier call of the plan would change. */
  readonly warnings?: readonly string[] | undefined;
  /** The command that carries it out. */
  readonly command?: string | undefined;
}

/** One finding in a program. An error is certain and refused; a warning is reported and the program runs. */
export interface ProgramDiagnostic {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** The adapter file that contains it, e.g. `servers/github/triage.ts`; absent if it is in the program. */
  readonly file?: string | undefined;
  /** Position in the original program, starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
  readonly message: string;
  /** The next step: the nearest name, the exact signature, an example. */
  readonly hint?: string | undefined;
}

/** One tool call of a run. It has the sizes of arguments and answer, not their contents. */
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
  /** Made before, and answered from the journal. */
  readonly isReplayed?: true | undefined;
  /** The answer came from the cache; no server was called. */
  readonly isCached?: true | undefined;
  /** Not made: part of the plan. */
  readonly isCaptured?: true | undefined;
  /** Not made: its answer is made up. */
  readonly isSimulated?: true | undefined;
}

/** A place in the program that a failure passed through. */
export interface ProgramFrame {
  /** The function, as the program names it; absent at the top level. */
  readonly function?: string | undefined;
  /** The adapter file; absent in the program itself. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** Why a run failed: a stable code, a sentence, the next step, and the place in the program. */
export interface RunError {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string;
  /** The adapter file that the position is in; absent if it is in the program. */
  readonly file?: string | undefined;
  /** Position in the original program, starting at 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The program's text at that line. */
  readonly excerpt?: string | undefined;
  /** Other errors that the check found, one per line. */
  readonly others?: readonly string[] | undefined;
  /** Further errors of the check that are not listed, if there are too many. */
  readonly omitted?: number | undefined;
  /** The calls that led to the position, from the innermost to the outermost, where there is more than one. */
  readonly trace?: readonly ProgramFrame[] | undefined;
  readonly details?: unknown;
}

/** What a run used, and how much of it a model has to read. */
export interface RunStatistics {
  readonly durationMs: number;
  readonly memoryBytes?: number | undefined;
  /** Bytes of the answers that the program received: what the model did not have to read. */
  readonly answerBytes: number;
  /** Bytes printed and returned: what goes to the model. */
  readonly outputBytes: number;
  /** Tokens that the model reads of this run (o200k): the meter's `returnedTokens`. */
  readonly outputTokens?: number | undefined;
  /** The tools that were called, as `server.tool`, each once. */
  readonly toolsCalled: readonly string[];
}

/**
 * What a run cost the model in tokens, and what it saved. Counted with the o200k tokenizer, each text on its own.
 * Tool definitions are not included, nor that a model rereads its whole history in every turn: both come on top.
 */
export interface RunMeter {
  /** The program as the model wrote it: `{"name":"run_code","arguments":…}`. */
  readonly programTokens: number;
  /** What the model reads of this run: the texts of the `run_code` answer. */
  readonly returnedTokens: number;
  /** The calls as the model would have written them one by one: `{"name":…,"arguments":…}`. */
  readonly callTokens: number;
  /** The answers as the model would have read them: their texts, without images and other binary data. */
  readonly answerTokens: number;
  /** The part of the answers that the model did not read: `answerTokens` less `returnedTokens`, never below 0. */
  readonly keptTokens: number;
  /** Calls and answers less program and output. If below 0, calling the tools directly would have been cheaper. */
  readonly savedTokens: number;
}

/** A part of the output that was too long for a model. */
export interface ShownCut {
  readonly of: "printed" | "returned" | "error";
  /** Its full size. */
  readonly bytes: number;
  readonly unit: "items" | "fields" | "lines";
  readonly total: number;
  /** Which part is shown, in words. */
  readonly shown: string;
  /** The program that reads the rest. */
  readonly program?: string | undefined;
  /** The id under which it is stored in full. */
  readonly id?: string | undefined;
  /** Why it is not stored: an error code. */
  readonly problem?: string | undefined;
}

export interface ShownImage {
  readonly data: string;
  readonly mimeType: string;
}

/** Content that is neither text nor an image, as a block of the protocol. */
export type ShownMedia =
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string | undefined;
        readonly blob: string;
      };
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
    };

/** What a model reads of a run. */
export interface ShownOutput {
  readonly texts: readonly string[];
  readonly images: readonly ShownImage[];
  /** For clients of the protocol. @default none */
  readonly media?: readonly ShownMedia[] | undefined;
  readonly cuts: readonly ShownCut[];
  readonly structured?: JsonObject | undefined;
}

/** How a run ended: what the program returned and printed, its calls, and its error or question. */
export interface RunResult {
  readonly runId: string;
  /** `paused`: it waits for the answer to `question`, which resumes it. */
  readonly status: "completed" | "failed" | "stopped" | "paused";
  readonly question?: RunQuestion | undefined;
  readonly stopReason?: StopReason | undefined;
  /** What the program returned; absent if it returned nothing. */
  readonly value?: Json | undefined;
  readonly logs: readonly LogLine[];
  readonly error?: RunError | undefined;
  /** Findings of the check that are not certain errors. */
  readonly warnings?: readonly ProgramDiagnostic[] | undefined;
  /** For the next program: result types that were learned in this run, and answers that were only one page. */
  readonly notes?: readonly string[] | undefined;
  /** What the program can do, as the check found it. */
  readonly manifest?: EffectManifest | undefined;
  readonly calls: readonly CallRecord[];
  /** Files that the program created from its results, in order. */
  readonly artifacts?: readonly StoredFacts[] | undefined;
  /** What a model reads of it, if `output` asked for that. */
  readonly shown?: ShownOutput | undefined;
  /** Its calls are stored: it can be resumed without making them again. */
  readonly isResumable?: true | undefined;
  /** What a run of mode `plan` would do. */
  readonly plan?: RunPlan | undefined;
  /** Servers whose answers were made up, because `simulate` asked for that. Present in every such run, also if it called none. */
  readonly simulated?: readonly string[] | undefined;
  readonly durationMs: number;
  readonly statistics: RunStatistics;
  /** Token counts. Absent while more than 1 MB is being counted: `readMeter` waits for it. */
  readonly meter?: RunMeter | undefined;
}

// The verbs of skills: what is asked, and what is told.
import type {
  Json,
  JsonObject,
  Language,
  ProgramDiagnostic,
  RunRequest,
  RunResult,
  SkillPin,
  SkillSource,
} from "../../contracts/index.js";

interface InWorkspace {
  /** Whose skills. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface SaveSkillRequest extends InWorkspace {
  readonly name: string;
  /** What it does and when to use it. @default what the function's comment says */
  readonly description?: string | undefined;
  /** A module that exports a function, or a program. */
  readonly code?: string | undefined;
  /** Instead of code: the program of a run that completed. */
  readonly runId?: string | undefined;
  readonly language?: Language | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Folders above it: `research/web`. */
  readonly category?: string | undefined;
  /** Literals of a program that become parameters: name → the value that stands there. */
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
  /** Refuse code with a certain mistake in it. @default true */
  readonly isChecked?: boolean | undefined;
}

export type UpdateSkillRequest = Partial<Omit<SaveSkillRequest, "name" | "category" | "runId">> &
  Pick<SaveSkillRequest, "name">;

export interface SkillName extends InWorkspace {
  /** With its category, or without where only one has it. */
  readonly name: string;
  readonly version?: number | undefined;
}

/** `broken`: it has a certain mistake, or no longer fits its tools. `unchecked`: there is no way to know. */
export type SkillState = "ready" | "broken" | "unchecked";

export interface SkillSummary {
  readonly name: string;
  /** With its category, as it is imported. */
  readonly path: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly version: number;
  readonly versions: readonly number[];
  /** Runs with it that completed. */
  readonly uses: number;
  readonly importLine: string;
  readonly signature: string;
  readonly state: SkillState;
  /** A file of it is not what was saved. */
  readonly isEdited: boolean;
  /** Tools it was saved with that have changed or gone since. */
  readonly changedTools: readonly string[];
  /** It belongs to every workspace, and cannot be changed from this one. */
  readonly isShared: boolean;
  /** Absent when a person wrote it. */
  readonly source?: SkillSource | undefined;
  /** When this version was saved; absent when a person wrote it. */
  readonly savedAt?: string | undefined;
}

export interface SkillDescription extends SkillSummary {
  /** From the skills folder. */
  readonly file: string;
  readonly code: string;
  readonly parameters: JsonObject;
  /** A call that fits its parameters. */
  readonly example: string;
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly pins: readonly SkillPin[];
  readonly hasTest: boolean;
  /** Of one that was saved just now: why it does not pass the recorded test of the version before, which it keeps. */
  readonly failedTest?: string | undefined;
}

export interface ListSkillsRequest extends InWorkspace {
  /** @default "uses": the most used first */
  readonly order?: "uses" | "name" | undefined;
  readonly tag?: string | undefined;
  readonly category?: string | undefined;
}

export interface SearchSkillsRequest extends InWorkspace {
  readonly query: string;
  readonly limit?: number | undefined;
}

export type RunSkillRequest = Omit<RunRequest, "code" | "language" | "session" | "workspace"> &
  SkillName & { readonly parameters?: JsonObject | undefined };

export interface TestSkillRequest extends SkillName {
  /** Call the servers once more and keep that as the test. */
  readonly record?: { readonly parameters?: JsonObject | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SkillTest {
  readonly isPassed: boolean;
  /** `cassette`: a recorded run. `simulation`: made-up answers that fit the tools' types. */
  readonly by: "cassette" | "simulation" | "recording";
  readonly parameters: JsonObject;
  readonly reason?: string | undefined;
  readonly run: RunResult;
}

/** A file of a skill, as it is served. */
export interface SkillFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface SkillVerbs {
  /** Saves a program as a skill, or as the next version of the one with this name. */
  readonly saveSkill: (request: SaveSkillRequest) => Promise<SkillDescription>;
  /** The next version of a skill, with what is given changed. */
  readonly updateSkill: (request: UpdateSkillRequest) => Promise<SkillDescription>;
  /** The skills, most used first. */
  readonly listSkills: (request?: ListSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Finds skills by words. */
  readonly searchSkills: (request: SearchSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** One skill in full: its code, parameters, state and an example. */
  readonly showSkill: (request: SkillName) => Promise<SkillDescription>;
  /** Runs a skill by its name. Its failure is a result; an unknown name, wrong parameters and a broken skill are thrown. */
  readonly runSkill: (request: RunSkillRequest) => Promise<RunResult>;
  /** Runs it against its recording, or against simulated servers where there is none. */
  readonly testSkill: (request: TestSkillRequest) => Promise<SkillTest>;
  /** False when there was none. Without a version, all of them. */
  readonly deleteSkill: (request: SkillName) => Promise<boolean>;
  /** The files of a skill that has a SKILL.md, for those who read skills of that format. */
  readonly readSkillFiles: (request: Omit<SkillName, "version">) => Promise<readonly SkillFile[]>;
}

// The skill verbs, their requests and results.
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
  /** The workspace of the skills. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface SaveSkillRequest extends InWorkspace {
  readonly name: string;
  /** What it does and when to use it. @default the function's comment */
  readonly description?: string | undefined;
  /** A module that exports a function, or a program. */
  readonly code?: string | undefined;
  /** Instead of code: a completed run, whose program is saved. */
  readonly runId?: string | undefined;
  readonly language?: Language | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Folders above it, e.g. `research/web`. */
  readonly category?: string | undefined;
  /** Literals of a program that become parameters: name → the current value. */
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
  /** Refuse code that certainly contains a mistake. @default true */
  readonly isChecked?: boolean | undefined;
}

export type UpdateSkillRequest = Partial<Omit<SaveSkillRequest, "name" | "category" | "runId">> &
  Pick<SaveSkillRequest, "name">;

export interface SkillName extends InWorkspace {
  /** With its category, or without if the name is unique. */
  readonly name: string;
  readonly version?: number | undefined;
}

/** `broken`: it contains a mistake, or no longer fits its tools. `unchecked`: cannot be determined. */
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
  /** Completed runs that used it. */
  readonly uses: number;
  readonly importLine: string;
  readonly signature: string;
  readonly state: SkillState;
  /** One of its files differs from what was saved. */
  readonly isEdited: boolean;
  /** Tools that have changed or gone since it was saved. */
  readonly changedTools: readonly string[];
  /** It is shared by all workspaces and cannot be changed from this one. */
  readonly isShared: boolean;
  /** Absent if a person wrote it. */
  readonly source?: SkillSource | undefined;
  /** When this version was saved. Absent if a person wrote it. */
  readonly savedAt?: string | undefined;
}

export interface SkillDescription extends SkillSummary {
  /** Relative to the skills folder. */
  readonly file: string;
  readonly code: string;
  readonly parameters: JsonObject;
  /** A call with valid parameters. */
  readonly example: string;
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly pins: readonly SkillPin[];
  readonly hasTest: boolean;
  /** After saving: why it fails the recorded test of the previous version, which it keeps. */
  readonly failedTest?: string | undefined;
}

export interface ListSkillsRequest extends InWorkspace {
  /** @default "uses": most used first */
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
  /** Call the servers once more and record that as the test. */
  readonly record?: { readonly parameters?: JsonObject | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SkillTest {
  readonly isPassed: boolean;
  /** `cassette`: a recorded run. `simulation`: generated answers that fit the tools' types. */
  readonly by: "cassette" | "simulation" | "recording";
  readonly parameters: JsonObject;
  readonly reason?: string | undefined;
  readonly run: RunResult;
}

/** A file of a skill. */
export interface SkillFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface SkillVerbs {
  /** Saves a program as a skill, or as the next version of the skill with this name. */
  readonly saveSkill: (request: SaveSkillRequest) => Promise<SkillDescription>;
  /** Saves the next version of a skill with the given changes. */
  readonly updateSkill: (request: UpdateSkillRequest) => Promise<SkillDescription>;
  /** Lists the skills, most used first. */
  readonly listSkills: (request?: ListSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Searches the skills. */
  readonly searchSkills: (request: SearchSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Shows one skill in full: its code, parameters, state and an example. */
  readonly showSkill: (request: SkillName) => Promise<SkillDescription>;
  /** Runs a skill by name. A failing skill is a result. An unknown name, invalid parameters and a broken skill throw. */
  readonly runSkill: (request: RunSkillRequest) => Promise<RunResult>;
  /** Tests a skill against its recording, or against simulated servers if it has none. */
  readonly testSkill: (request: TestSkillRequest) => Promise<SkillTest>;
  /** Deletes one version of a skill, or all. Returns false if there is none. */
  readonly deleteSkill: (request: SkillName) => Promise<boolean>;
  /** Reads the files of a skill in the SKILL.md format. */
  readonly readSkillFiles: (request: Omit<SkillName, "version">) => Promise<readonly SkillFile[]>;
}

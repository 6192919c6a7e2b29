// Skills: saved programs with parameters, in the store and in programs.
import type { Language } from "./executor.js";
import type { Json, JsonObject } from "./json.js";

/** The server name of `skills.save` and the other skill functions in guest calls. No configured server can have it. */
export const skillsServer = "\u0000skills";

/** The global object of skills in programs, and the folder that they import skills from. */
export const skillsName = "skills";

/** The global names of skills in programs. A server of the same name, or the program's own variable, takes precedence. */
export const skillGlobals: Readonly<Record<Language, readonly string[]>> = {
  typescript: [skillsName],
  python: [skillsName, "save_tool"],
};

const text = (maxLength: number): JsonObject => ({ type: "string", minLength: 1, maxLength });

const toParameters = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The parameters of `skills.save` and the other skill functions. */
export const skillSchemas: ReadonlyMap<string, JsonObject> = new Map([
  [
    "save",
    toParameters(
      {
        name: text(100),
        description: { type: "string", maxLength: 4000 },
        code: text(16_777_216),
        language: { enum: ["typescript", "python"] },
        tags: { type: "array", items: text(100), maxItems: 50 },
        category: text(200),
        parameters: { type: "object" },
      },
      ["name", "code"],
    ),
  ],
  ["list", toParameters({}, [])],
  [
    "search",
    toParameters({ query: text(8000), limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"]),
  ],
  ["show", toParameters({ name: text(300), version: { type: "integer", minimum: 1 } }, ["name"])],
]);

/** The category of skills proposed by the coordinator. Nobody has reviewed them yet. */
export const proposedCategory = "proposed";

/** A tool that a skill calls, as it was when the skill was saved. */
export interface SkillPin {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint: string;
}

/** Where a skill comes from. */
export interface SkillSource {
  readonly kind: "library" | "program" | "run" | "proposal";
  readonly runId?: string | undefined;
}

/** The stored metadata of a saved version, in `skill.json`. */
export interface SkillRecord {
  /** The name as given. */
  readonly title: string;
  readonly version: number;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly entry: string;
  readonly pins: readonly SkillPin[];
  /** Hash of each file of the program, to detect edits. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly savedAt: string;
  readonly source: SkillSource;
  /** The parameters of the recorded test. */
  readonly testParameters?: JsonObject | undefined;
}

/** One version of a skill. */
export interface StoredSkill {
  /** Its short name, as the folder or file is called. */
  readonly name: string;
  /** With its category: `research/web/read-papers`. */
  readonly path: string;
  readonly category?: string | undefined;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly version: number;
  /** Every existing version, oldest first. */
  readonly versions: readonly number[];
  /** The program's file, relative to the skills folder: `read-papers/scripts/main.ts`. */
  readonly file: string;
  readonly source: string;
  /** The SHA-256 of its SKILL.md. Undefined for a single file and for older versions. */
  readonly documentHash?: string | undefined;
  /** Absent if a person wrote it and nobody saved it. */
  readonly record?: SkillRecord | undefined;
  /** A file differs from what was saved. */
  readonly isEdited: boolean;
  /** It belongs to every workspace: this one can hide it, but not change it. */
  readonly isShared?: boolean | undefined;
}

export interface NewSkill {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly category?: string | undefined;
  readonly language: Language;
  readonly code: string;
  readonly pins: readonly SkillPin[];
  readonly from: SkillSource;
  /** Markdown after the front matter. A function, because the final name is not known before: another skill may have it. */
  readonly toDocument: (name: string) => string;
  /** A recorded run, used as its test. */
  readonly cassette?: { readonly text: string; readonly parameters: JsonObject } | undefined;
}

export interface SkillFileText {
  /** Relative to the skill's folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Stores skills. An invalid name throws NAME_INVALID; nothing outside the folder is ever read or written. */
export interface SkillStore {
  /** The newest version of each, sorted by path. Anything that cannot be read as a skill is left out. */
  readonly list: () => Promise<readonly StoredSkill[]>;
  /** By path, or by short name if it is unique; `_` and `-` are equivalent. */
  readonly find: (
    name: string,
    options?: { readonly version?: number | undefined; readonly language?: Language | undefined },
  ) => Promise<StoredSkill | undefined>;
  /** A file of the tree by its path without extension: a neighbor that a skill imports. */
  readonly readModule: (
    path: string,
  ) => Promise<{ readonly file: string; readonly source: string } | undefined>;
  /** The Python files next to a skill's own. */
  readonly listModules: (
    skill: StoredSkill,
  ) => Promise<readonly { readonly file: string; readonly source: string }[]>;
  /** Saves a skill, or the next version of the one with this title. A different title with the same letters gets its own name. */
  readonly save: (skill: NewSkill) => Promise<StoredSkill>;
  /** False if there is none. Without a version, removes all of it. */
  readonly remove: (path: string, version?: number) => Promise<boolean>;
  /** Every file of a skill's folder except older versions. */
  readonly readFiles: (path: string) => Promise<readonly SkillFileText[]>;
  readonly readCassette: (skill: StoredSkill) => Promise<string | undefined>;
  readonly writeCassette: (skill: StoredSkill, text: string, parameters: JsonObject) => Promise<void>;
}

/** A skill as programs see it. */
export interface SkillFacts {
  readonly name: string;
  readonly description: string;
  readonly language: Language;
  readonly version: number;
  readonly tags: readonly string[];
  readonly importLine: string;
  readonly signature: string;
  /** Whether it is as it was saved or accepted on this machine. */
  readonly integrity?: "signed" | "unsigned" | "edited" | undefined;
  /** It does not match its tools, or has an error: importing it is refused. */
  readonly isBroken?: boolean | undefined;
}

/** What a program passes to save a skill. */
export interface SkillDraft {
  readonly name: string;
  readonly description?: string | undefined;
  readonly code: string;
  readonly language?: Language | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly category?: string | undefined;
  /** Literals of the code that become parameters: name → the literal's value. */
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
}

/** The skill functions of a run. Each may throw a CoordinatorError. */
export interface SkillFunctions {
  readonly save: (draft: SkillDraft) => Promise<SkillFacts>;
  readonly list: () => Promise<readonly SkillFacts[]>;
  readonly search: (query: string, limit?: number) => Promise<readonly SkillFacts[]>;
  readonly show: (name: string, version?: number) => Promise<SkillFacts & { readonly code: string }>;
}

// Skills: saved programs with parameters, as their store keeps them and as programs ask for them.
import type { Language } from "./executor.js";
import type { Json, JsonObject } from "./json.js";

/** What a guest calls for `skills.save` and its like: no configured server can have this name. */
export const skillsServer = "\u0000skills";

/** The global that programs have, and the folder that they import skills from. */
export const skillsName = "skills";

/** The global names of skills in programs. A server of the same name, or a variable of the program's own, wins. */
export const skillGlobals: Readonly<Record<Language, readonly string[]>> = {
  typescript: [skillsName],
  python: [skillsName, "save_tool"],
};

const text = (maxLength: number): JsonObject => ({ type: "string", minLength: 1, maxLength });

const takes = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** What the functions of the global take: `skills.save` and its like. */
export const skillSchemas: ReadonlyMap<string, JsonObject> = new Map([
  [
    "save",
    takes(
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
  ["list", takes({}, [])],
  ["search", takes({ query: text(8000), limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"])],
  ["show", takes({ name: text(300), version: { type: "integer", minimum: 1 } }, ["name"])],
]);

/** A category whose skills were proposed by the coordinator: nobody has looked at them yet. */
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

/** What is kept of a saved version beside its text, in `skill.json`. */
export interface SkillRecord {
  /** The name as it was given. */
  readonly title: string;
  readonly version: number;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly entry: string;
  readonly pins: readonly SkillPin[];
  /** Hash of each file of the program, so that an edit is noticed. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly savedAt: string;
  readonly source: SkillSource;
  /** The parameters that the recorded test was made with. */
  readonly testParameters?: JsonObject | undefined;
}

/** One version of a skill. */
export interface StoredSkill {
  /** Its last name, as the folder or file is called. */
  readonly name: string;
  /** With its category: `research/web/read-papers`. */
  readonly path: string;
  readonly category?: string | undefined;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly version: number;
  /** Every version there is, oldest first. */
  readonly versions: readonly number[];
  /** The program's file, from the skills folder: `read-papers/scripts/main.ts`. */
  readonly file: string;
  readonly source: string;
  /** Absent when a person wrote it and nobody saved it. */
  readonly record?: SkillRecord | undefined;
  /** A file of it is not what was saved. */
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
  /** Markdown after the front matter. The name is not known before: another skill may have it. */
  readonly toDocument: (name: string) => string;
  /** A recorded run of it, to be its test. */
  readonly cassette?: { readonly text: string; readonly parameters: JsonObject } | undefined;
}

export interface SkillFileText {
  /** From the skill's folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Where skills are kept. A name that cannot be one throws NAME_INVALID; nothing outside of the folder is ever read or written. */
export interface SkillStore {
  /** The newest version of each, sorted by path. What cannot be read as a skill is left out. */
  readonly list: () => Promise<readonly StoredSkill[]>;
  /** By path, or by last name where only one has it; `_` is as good as `-`. */
  readonly find: (
    name: string,
    options?: { readonly version?: number | undefined; readonly language?: Language | undefined },
  ) => Promise<StoredSkill | undefined>;
  /** A file of the tree by its path without an ending: a neighbour that a skill imports. */
  readonly readModule: (
    path: string,
  ) => Promise<{ readonly file: string; readonly source: string } | undefined>;
  /** The Python files beside a skill's own. */
  readonly listModules: (
    skill: StoredSkill,
  ) => Promise<readonly { readonly file: string; readonly source: string }[]>;
  /** Saves a skill, or the next version of the one with this title; another title of the same letters gets a name of its own. */
  readonly save: (skill: NewSkill) => Promise<StoredSkill>;
  /** False when there is none. Without a version, all of it. */
  readonly remove: (path: string, version?: number) => Promise<boolean>;
  /** Every file of a skill's folder but its older versions. */
  readonly readFiles: (path: string) => Promise<readonly SkillFileText[]>;
  readonly readCassette: (skill: StoredSkill) => Promise<string | undefined>;
  readonly writeCassette: (skill: StoredSkill, text: string, parameters: JsonObject) => Promise<void>;
}

/** A skill as a program is told of it. */
export interface SkillFacts {
  readonly name: string;
  readonly description: string;
  readonly language: Language;
  readonly version: number;
  readonly tags: readonly string[];
  readonly importLine: string;
  readonly signature: string;
  /** It does not fit its tools, or has a mistake: an import of it is refused. */
  readonly isBroken?: boolean | undefined;
}

/** What a program gives to save a skill. */
export interface SkillDraft {
  readonly name: string;
  readonly description?: string | undefined;
  readonly code: string;
  readonly language?: Language | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly category?: string | undefined;
  /** Literals of the code that become parameters: name → the value that stands there. */
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
}

/** What a run may ask of the skills. Each may throw a CoordinatorError. */
export interface SkillFunctions {
  readonly save: (draft: SkillDraft) => Promise<SkillFacts>;
  readonly list: () => Promise<readonly SkillFacts[]>;
  readonly search: (query: string, limit?: number) => Promise<readonly SkillFacts[]>;
  readonly show: (name: string, version?: number) => Promise<SkillFacts & { readonly code: string }>;
}

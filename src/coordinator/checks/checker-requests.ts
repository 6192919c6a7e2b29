// The messages between the host and the checker process: plain data as JSON.
import type {
  CheckedAdapter,
  CheckRequest,
  CheckResult,
  ModuleText,
  PreparedModule,
  PreparedProgram,
  PrepareOptions,
  SkillFunction,
  SkillMaterial,
} from "../../checker/index.js";
import type { ErrorCode, JsonSchema, Language, ServerCatalog } from "../../contracts/index.js";

/** A program or module with its words as a list. The text is left out if it equals the input. */
export type Packed<Prepared extends PreparedProgram> = Omit<Prepared, "words" | "text" | "code"> & {
  readonly words: readonly string[];
  readonly text?: string | undefined;
  /** Left out if it equals the text. */
  readonly code?: string | undefined;
};

/** A server that a program uses. Its catalog is sent once, under its fingerprint. */
export interface ReachedServer {
  readonly catalog: string;
  /** The tools named in the text, by their names on the wire. */
  readonly named: readonly string[];
  /** Learned result types, by the tool's name on the wire. */
  readonly learned: readonly (readonly [tool: string, schema: JsonSchema])[];
}

type Pairs<Value> = readonly (readonly [string, Value])[];

/** A check without what the checker process derives itself: declarations, signatures and names. */
export interface ProgramCheck
  extends Pick<
    CheckRequest,
    | "text"
    | "imported"
    | "isSession"
    | "declared"
    | "module"
    | "modules"
    | "globals"
    | "deniedModules"
    | "missingModules"
    | "sandboxNote"
    | "unlisted"
  > {
  readonly language: Language;
  readonly servers: readonly ReachedServer[];
  readonly identifiers: Pairs<string>;
  readonly adapters?: readonly CheckedAdapter[] | undefined;
  readonly adapterNames: Pairs<readonly string[]>;
  readonly pythonTypes?:
    | Omit<NonNullable<CheckRequest["pythonTypes"]>, "renderModule" | "renderCallModule">
    | undefined;
}

export type PackedCatalog = Omit<ServerCatalog, "find">;

/** Catalogs that the checker process does not have. */
export interface MissingCatalogs {
  readonly missing: readonly string[];
}

/** Every request with its content and its answer. */
export interface CheckerRequests {
  readonly prepareProgram: [{ readonly text: string } & PrepareOptions, Packed<PreparedProgram>];
  readonly prepareModule: [
    { readonly module: ModuleText; readonly language: Language },
    Packed<PreparedModule>,
  ];
  readonly readSkillFunction: [
    { readonly source: string; readonly name: string; readonly language: Language },
    { readonly found?: SkillFunction | undefined },
  ];
  readonly toSkillModule: [SkillMaterial, string];
  readonly markDiscarded: [{ readonly sources: readonly string[]; readonly mark: string }, readonly string[]];
  readonly checkProgram: [
    { readonly check: ProgramCheck; readonly catalogs: Pairs<PackedCatalog> },
    CheckResult | MissingCatalogs,
  ];
  /** Loads the parsers, and on request starts the compiler. */
  readonly warm: [{ readonly hasCompiler: boolean }, null];
}

export type CheckerRequest = keyof CheckerRequests;

export interface RequestMessage {
  readonly id: number;
  readonly kind: CheckerRequest;
  readonly body: unknown;
}

export interface PackedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

/** `isReady` comes first, `isStarted` before each answer. If the process dies, the started requests are the suspects. */
export interface ReplyMessage {
  readonly isReady?: true | undefined;
  readonly id?: number | undefined;
  readonly isStarted?: true | undefined;
  readonly result?: unknown;
  readonly error?: PackedError | undefined;
  /** The text is nested deeper than the stack allows. */
  readonly isTooComplex?: true | undefined;
}

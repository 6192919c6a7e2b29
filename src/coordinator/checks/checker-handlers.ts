// The work of the checker process: parses and checks programs. Its messages are plain data as JSON.
import {
  type CheckedAdapter,
  type CheckRequest,
  type CheckResult,
  checkProgram,
  loadParsers,
  type ModuleText,
  markDiscarded,
  type PreparedModule,
  type PreparedProgram,
  type PrepareOptions,
  prepareModule,
  prepareProgram,
  readSkillFunction,
  type SkillFunction,
  type SkillMaterial,
  toSkillModule,
  warmCompiler,
} from "../../checker/index.js";
import {
  type ErrorCode,
  type JsonSchema,
  type Language,
  once,
  type ServerCatalog,
} from "../../contracts/index.js";
import { openByteCache } from "./byte-cache.js";
import type { KnownCatalog } from "./to-check-request.js";

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

/** Size of their JSON. A dropped catalog is requested again. */
const maxCatalogBytes = 64 * 1024 * 1024;

/** Loaded with the first check, while the program is parsed: otherwise the process would be ready much later. */
const loadRequests = once(() => import("./to-check-request.js"));

type Handlers = {
  readonly [Kind in keyof CheckerRequests]: (
    body: CheckerRequests[Kind][0],
  ) => Promise<CheckerRequests[Kind][1]>;
};

const pack = <Prepared extends PreparedProgram>(
  { text, code, words, ...rest }: Prepared,
  given: string,
): Packed<Prepared> =>
  ({
    ...rest,
    words: [...words],
    text: text === given ? undefined : text,
    code: code === text ? undefined : code,
  }) as unknown as Packed<Prepared>;

export const openHandlers = (): Handlers => {
  const catalogs = openByteCache<KnownCatalog>(maxCatalogBytes);
  return {
    prepareProgram: async ({ text, ...options }) => pack(await prepareProgram(text, options), text),
    prepareModule: async ({ module, language }) => pack(await prepareModule(module, language), module.source),
    readSkillFunction: async ({ source, ...facts }) => ({ found: await readSkillFunction(source, facts) }),
    toSkillModule,
    markDiscarded: ({ sources, mark }) => markDiscarded(sources, mark),
    checkProgram: async ({ check, catalogs: sent }) => {
      const { openCatalog, toCheckRequest } = await loadRequests();
      for (const [fingerprint, packed] of sent)
        catalogs.set(fingerprint, openCatalog(packed), JSON.stringify(packed).length);
      const known = check.servers.map(({ catalog }) => catalogs.get(catalog));
      const missing = check.servers.filter((_, at) => known[at] === undefined).map(({ catalog }) => catalog);
      // A catalog that is missing right after it was sent is larger than the cache.
      const wanted = missing.filter((fingerprint) => !sent.some(([one]) => one === fingerprint));
      if (wanted.length > 0) return { missing: wanted };
      return checkProgram(
        toCheckRequest(
          check,
          known.filter((one) => one !== undefined),
        ),
      );
    },
    warm: async ({ hasCompiler }) => {
      await (hasCompiler ? Promise.all([warmCompiler(), loadRequests()]) : loadParsers());
      return null;
    },
  };
};

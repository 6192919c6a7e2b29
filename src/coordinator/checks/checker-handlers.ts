// The work of the checker process: parses and checks programs. Its messages are plain data as JSON.
import { hash } from "node:crypto";
import { toFinder } from "../../catalog/index.js";
import {
  type CheckedAdapter,
  type CheckedServer,
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
  assignFunctionNames,
  renderCallModule,
  renderPythonModule,
  renderPythonSignature,
  renderServerDeclarations,
  renderSignature,
  toPythonAliases,
} from "../../codegen/index.js";
import type { ErrorCode, JsonSchema, Language, ServerCatalog, Tool } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { openByteCache } from "./byte-cache.js";

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

/** Maximum characters of a signature in a message. */
const maxSignature = 200;

interface KnownCatalog {
  readonly catalog: ServerCatalog;
  readonly functionNames: () => ReadonlyMap<Tool, string>;
}

const openCatalog = (packed: PackedCatalog): KnownCatalog => {
  const catalog = { ...packed, find: toFinder(packed.tools) };
  let names: ReadonlyMap<Tool, string> | undefined;
  return {
    catalog,
    functionNames: () => {
      names ??= assignFunctionNames(catalog);
      return names;
    },
  };
};

/** Declares only the tools that the text names, so that the size of a server does not matter. */
const toTypescriptServer = ({ catalog }: KnownCatalog, { named, learned }: ReachedServer): CheckedServer => {
  const wanted = new Set(named);
  const schemas = new Map(learned);
  const tools = catalog.tools
    .filter(({ name }) => wanted.has(name))
    .map((tool): Tool => {
      const schema = schemas.get(tool.name);
      return schema === undefined ? tool : { ...tool, learned: { schema, answers: 1 } };
    });
  const { source } = renderServerDeclarations({ catalog: { ...catalog, tools } });
  return {
    catalog,
    source,
    fingerprint: hash("sha256", source, "base64"),
    observedTools: new Set(schemas.keys()),
  };
};

/** Python is checked against the tools themselves. */
const toPythonServer = ({ catalog, functionNames }: KnownCatalog, reached: ReachedServer): CheckedServer => ({
  catalog,
  source: "",
  fingerprint: reached.catalog,
  learned: new Map(reached.learned),
  functionNames: functionNames(),
});

/** Generates what the rules need of the servers: declarations, signatures and names. */
const toCheckRequest = (
  { identifiers, adapterNames, adapters = [], pythonTypes, ...check }: ProgramCheck,
  known: readonly KnownCatalog[],
): CheckRequest => {
  const isPython = check.language === "python";
  const toServer = isPython ? toPythonServer : toTypescriptServer;
  const names = new Map(identifiers);
  return {
    ...check,
    servers: check.servers.flatMap((reached, at) => {
      const found = known[at];
      return found === undefined ? [] : [toServer(found, reached)];
    }),
    identifiers: names,
    adapters,
    adapterNames: new Map(adapterNames),
    aliases: isPython ? toPythonAliases(names) : undefined,
    pythonTypes:
      pythonTypes === undefined
        ? undefined
        : { ...pythonTypes, renderModule: renderPythonModule, renderCallModule },
    nearestNames,
    renderSignature: isPython
      ? ({ tool, identifier, functionName = tool.functionName }) =>
          renderPythonSignature({ tool, name: `${identifier}.${functionName}`, maxLength: maxSignature })
      : renderSignature,
  };
};

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
      await (hasCompiler ? warmCompiler() : loadParsers());
      return null;
    },
  };
};

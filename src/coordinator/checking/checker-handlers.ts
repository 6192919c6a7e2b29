// The work of the checker process: parses and checks what it is sent, against declarations that it makes itself.
import { createHash } from "node:crypto";
import { nearestNames, toFinder } from "../../catalog/index.js";
import {
  type CheckedServer,
  type CheckRequest,
  checkProgram,
  loadChecker,
  type PreparedProgram,
  prepareModule,
  prepareProgram,
  readSkillFunction,
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
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { openByteCache } from "./byte-cache.js";
import type {
  CheckerRequests,
  Packed,
  PackedCatalog,
  ProgramCheck,
  ReachedServer,
} from "./checker-requests.js";

/** Characters of a signature in a message. */
const maxSignature = 200;
/** Of their JSON; what is dropped is asked for again. */
const maxCatalogBytes = 64 * 1024 * 1024;

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

/** Only the tools that the text names are declared: a server's size costs nothing. */
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
    fingerprint: createHash("sha256").update(source).digest("base64"),
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
    ...(isPython ? { aliases: toPythonAliases(names) } : {}),
    ...(pythonTypes === undefined
      ? {}
      : { pythonTypes: { ...pythonTypes, renderModule: renderPythonModule, renderCallModule } }),
    nearestNames,
    renderSignature: isPython
      ? ({ tool, identifier, functionName = tool.functionName }) =>
          renderPythonSignature({ tool, name: `${identifier}.${functionName}`, longest: maxSignature })
      : renderSignature,
  };
};

export const openHandlers = (): Handlers => {
  const catalogs = openByteCache<KnownCatalog>(maxCatalogBytes);
  return {
    prepareProgram: async ({ text, ...options }) => pack(await prepareProgram(text, options), text),
    prepareModule: async ({ module, language }) => pack(await prepareModule(module, language), module.source),
    readSkillFunction: async ({ source, ...facts }) => ({ found: await readSkillFunction(source, facts) }),
    toSkillModule,
    checkProgram: async ({ check, catalogs: sent }) => {
      for (const [fingerprint, packed] of sent)
        catalogs.set(fingerprint, openCatalog(packed), JSON.stringify(packed).length);
      const known = check.servers.map(({ catalog }) => catalogs.get(catalog));
      const missing = check.servers.filter((_, at) => known[at] === undefined).map(({ catalog }) => catalog);
      // One that was sent right now and is missing all the same is larger than what is kept.
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
      await (hasCompiler ? warmCompiler() : loadChecker());
      return null;
    },
  };
};

// The work of the checker process: parses and checks programs. Loads the dependencies of a known program first.
import {
  checkProgram,
  loadParsers,
  markDiscarded,
  type PreparedProgram,
  prepareModule,
  prepareProgram,
  readSkillFunction,
  toSkillModule,
  warmCompiler,
} from "../../checker/index.js";
import { once } from "../../contracts/index.js";
import { openByteCache } from "./byte-cache.js";
import type { CheckerRequests, Packed } from "./checker-requests.js";
import type { KnownCatalog } from "./to-check-request.js";

/** Size of their JSON. A dropped catalog is requested again. */
const maxCatalogBytes = 64 * 1024 * 1024;

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

// Caches check results, so that a known program costs nothing, in this process or a later one.
import { hash } from "node:crypto";
import type { CheckResult } from "../../checker/index.js";
import type { Json, ServerCatalog } from "../../contracts/index.js";
import type { CheckCache } from "../../store/index.js";
import { openByteCache } from "./byte-cache.js";
import type { ProgramCheck } from "./checker-handlers.js";
import { type Asker, isRequesterFault } from "./checker-queue.js";

/** Cache size in characters of JSON. */
const maxResults = 4 * 1024 * 1024;

export interface CheckOptions {
  readonly asker: Asker;
  /** The catalogs of the check's servers. */
  readonly catalogs: readonly ServerCatalog[];
  /** The cache that outlives this process. */
  readonly memory?: Pick<CheckCache, "read" | "write"> | undefined;
}

type Check = (check: ProgramCheck, options: CheckOptions) => Promise<CheckResult>;

const isResult = (found: Json | undefined): boolean => {
  const { diagnostics, manifest } = (found ?? {}) as Partial<CheckResult>;
  return Array.isArray(diagnostics) && Array.isArray(manifest?.calls);
};

/** `readCompiler`: another compiler may find other mistakes. */
export const rememberChecks = (ask: Check, readCompiler: () => Promise<string | undefined>): Check => {
  const results = openByteCache<Promise<CheckResult>>(maxResults);
  let reading: Promise<Json | undefined> = Promise.resolve(undefined);

  const checkOnce = async (key: string, check: ProgramCheck, options: CheckOptions): Promise<CheckResult> => {
    const { memory } = options;
    // One at a time: the runs of a session continue in the order in which they arrived.
    const found = memory?.read(key);
    reading = reading.then(() => found);
    const known = await reading;
    if (isResult(known)) return known as unknown as CheckResult;
    const result = await ask(check, options);
    // Do not cache findings: they may be outdated tomorrow, and finding them again is cheap.
    const isClean = result.diagnostics.every(
      ({ severity, code }) => severity !== "error" && code !== "NOT_CHECKED",
    );
    if (isClean) memory?.write(key, result as unknown as Json);
    return result;
  };

  const remember: Check = async (check, options) => {
    const key = hash("sha256", `${await readCompiler()}\n${JSON.stringify(check)}`);
    const known = results.get(key);
    if (known !== undefined)
      return known.catch((thrown: unknown) => {
        if (!isRequesterFault(thrown) || options.asker.signal?.aborted === true) throw thrown;
        return remember(check, options);
      });
    const checking = checkOnce(key, check, options);
    results.set(key, checking, 0);
    const forget = (): void => results.delete(key);
    checking.then((result) => {
      // A compiler that failed may work next time.
      if (result.diagnostics.some(({ code }) => code === "NOT_CHECKED")) forget();
      else results.set(key, checking, JSON.stringify(result).length);
    }, forget);
    return checking;
  };
  return remember;
};

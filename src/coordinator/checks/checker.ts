// Parses and checks programs, skills and adapters in the checker process, with a cache for known texts.
import { hash } from "node:crypto";
import {
  type CheckResult,
  type ModuleText,
  nameCompiler,
  type PreparedModule,
  type PreparedProgram,
  type PrepareOptions,
  type SkillFunction,
  type SkillMaterial,
} from "../../checker/index.js";
import {
  type Json,
  type Language,
  type ManifestCall,
  once,
  type ServerCatalog,
} from "../../contracts/index.js";
import type { CheckCache } from "../../store/index.js";
import { openByteCache } from "./byte-cache.js";
import type { Packed, PackedCatalog, ProgramCheck } from "./checker-handlers.js";
import { CheckerQueue, isRequesterFault, type Requester } from "./checker-queue.js";
import { fingerprintCatalog, packCatalog } from "./reach-servers.js";

/** Cache size in characters of JSON. */
const maxResults = 4 * 1024 * 1024;

export interface CheckOptions {
  readonly requester: Requester;
  /** The catalogs of the check's servers. */
  readonly catalogs: readonly ServerCatalog[];
  /** The cache that outlives this process. */
  readonly memory?: Pick<CheckCache, "read" | "write"> | undefined;
}

type Check = (check: ProgramCheck, options: CheckOptions) => Promise<CheckResult>;

const isResult = (found: Json | undefined): boolean => {
  const { diagnostics, manifest } = (found ?? {}) as Partial<CheckResult>;
  // Earlier versions had one entry for each tool.
  const isEntry = (call: Partial<ManifestCall>): boolean =>
    typeof call.fingerprint === "string" && Array.isArray(call.open);
  return Array.isArray(diagnostics) && Array.isArray(manifest?.calls) && manifest.calls.every(isEntry);
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
        if (!isRequesterFault(thrown) || options.requester.signal?.aborted === true) throw thrown;
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

/** Cache size in characters: agents run the same text repeatedly. */
const maxPrepared = 16 * 1024 * 1024;
/** Approximate size of a word, or of an import with its place. */
const wordBytes = 64;
const importBytes = 512;

/** Shared by all coordinators of this process. */
const queue = new CheckerQueue();

const prepared = openByteCache<PreparedProgram>(maxPrepared);

const unpack = <Prepared extends PreparedProgram>(packed: Packed<Prepared>, given: string): Prepared => {
  const text = packed.text ?? given;
  return { ...packed, text, code: packed.code ?? text, words: new Set(packed.words) } as unknown as Prepared;
};

const prepareOnce = async <Prepared extends PreparedProgram>(
  key: string,
  given: string,
  prepare: () => Promise<Packed<Prepared>>,
): Promise<Prepared> => {
  const digest = hash("sha256", key);
  const known = prepared.get(digest);
  if (known !== undefined) return known as Prepared;
  const made = unpack(await prepare(), given);
  const { text, code, mappings = "", words, imports } = made;
  const lists = words.size * wordBytes + imports.length * importBytes;
  prepared.set(digest, made, text.length + code.length + mappings.length + lists);
  return made;
};

/** Parses a program. Throws PROGRAM_INVALID with line and column. */
export const prepareProgram = (
  requester: Requester,
  text: string,
  options: PrepareOptions,
): Promise<PreparedProgram> =>
  prepareOnce(`program ${options.language} ${options.isSession}\n${text}`, text, () =>
    queue.request("prepareProgram", { text, ...options }, requester),
  );

/** Parses a hand-written module for linking. Throws PROGRAM_INVALID with file, line and column. */
export const prepareModule = (
  requester: Requester,
  module: ModuleText,
  language: Language,
): Promise<PreparedModule> =>
  prepareOnce(`module ${language} ${module.path}\n${module.file}\n${module.source}`, module.source, () =>
    queue.request("prepareModule", { module, language }, { ...requester, name: `"${module.file}"` }),
  );

/** The function that a skill's module exports, if there is one. */
export const readSkillFunction = async (
  requester: Requester,
  source: string,
  { name, language }: { readonly name: string; readonly language: Language },
): Promise<SkillFunction | undefined> => {
  const own = { ...requester, name: `the skill "${name}"` };
  return (await queue.request("readSkillFunction", { source, name, language }, own)).found;
};

/** Turns a module or a program into a skill's module. Throws PROGRAM_INVALID. */
export const toSkillModule = (
  requester: Requester,
  { code, language, functionName, parameters }: SkillMaterial,
): Promise<string> => queue.request("toSkillModule", { code, language, functionName, parameters }, requester);

/** Wraps every callee whose value is discarded in a function of that name, in the JavaScript modules of a plan. */
export const markDiscarded = (
  requester: Requester,
  sources: readonly string[],
  mark: string,
): Promise<readonly string[]> => queue.request("markDiscarded", { sources, mark }, requester);

const askForCheck = async (
  check: ProgramCheck,
  { catalogs, requester }: CheckOptions,
): Promise<CheckResult> => {
  const name = check.module === undefined ? undefined : `"${check.module.file}"`;
  const sent = new Map<string, PackedCatalog>();
  for (;;) {
    const result = await queue.request(
      "checkProgram",
      { check, catalogs: [...sent] },
      { ...requester, name },
    );
    if (!("missing" in result)) return result;
    for (const catalog of catalogs) {
      const fingerprint = fingerprintCatalog(catalog);
      if (result.missing.includes(fingerprint)) sent.set(fingerprint, packCatalog(catalog));
    }
  }
};

const readCompiler = once(nameCompiler);
let remembered = rememberChecks(askForCheck, readCompiler);

/** Checks a parsed program. The same check is made once, here or in an earlier process. */
export const checkProgram = (check: ProgramCheck, options: CheckOptions): Promise<CheckResult> =>
  remembered(check, options);

/** Starts the checker process ahead, so that it loads in parallel with the host. */
export const startChecker = (): void => queue.start();

/** Also loads its parsers, or starts the compiler. */
export const warmChecker = async (hasCompiler: boolean): Promise<void> => {
  await queue.request("warm", { hasCompiler }, { workspace: "" });
};

/** Clears the caches and ends the process unless it is in use. A later program starts it again. */
export const closeChecker = (): void => {
  remembered = rememberChecks(askForCheck, readCompiler);
  queue.close();
};

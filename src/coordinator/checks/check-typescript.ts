// Checks a TypeScript program and every adapter that it imports.
import { posix } from "node:path";
import type { CheckResult, PreparedProgram } from "../../checker/index.js";
import { type ServerCatalog, skillsServer } from "../../contracts/index.js";
import { listAdapters } from "../../store/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/to-run-rights.js";
import { readDeclared } from "../sessions/session-history.js";
import type { CheckCodeRequest, PreparedCheck } from "./check-code.js";
import { checkProgram } from "./checker.js";
import type { ProgramCheck } from "./checker-handlers.js";
import {
  isSkillPath,
  listSkillPaths,
  type ReachedAdapters,
  reachFrom,
  toAdapterPlace,
} from "./collect-adapters.js";
import { reachServer, readReached } from "./reach-servers.js";

export const checkTypescript = async (
  host: Host,
  request: CheckCodeRequest,
  { program, adapters, rights }: PreparedCheck & { readonly rights: RunRights },
): Promise<CheckResult> => {
  const checkText = async (
    text: string,
    own: PreparedProgram,
    more: Pick<ProgramCheck, "isSession" | "declared" | "module">,
  ): Promise<CheckResult> => {
    const reached = reachFrom(own, adapters);
    const reader = {
      text: [text, ...reached.map((module) => module.text)].join("\n"),
      words: new Set([own, ...reached].flatMap(({ words }) => [...words])),
      imports: [own, ...reached].flatMap(({ imports }) => imports),
    };
    const { catalogs, unlisted } = await readReached(host, reader, {
      allowed: rights.servers,
      waitMs: request.waitMs,
    });
    return checkProgram(
      {
        language: "typescript",
        text,
        imported: own.imports.map(({ specifier }) => specifier),
        servers: await Promise.all(
          catalogs.map((catalog) =>
            reachServer(host, catalog, { words: reader.words, language: "typescript" }),
          ),
        ),
        unlisted,
        identifiers: [...host.identifiers],
        adapters: reached.map((module) => ({
          path: module.path,
          text: module.text,
          names: adapters.namesOf?.(module) ?? [],
        })),
        adapterNames: await listNear(host, own, catalogs, adapters),
        modules: rights.packages,
        globals: rights.allowedHosts.length > 0 ? ["fetch"] : [],
        ...more,
      },
      {
        asker: host.asker,
        catalogs,
        // If runs are not stored, neither is what a check saw of them.
        memory: host.configuration.settings.journal === "off" ? undefined : host.checks,
      },
    );
  };
  const [main, ...others] = await Promise.all([
    checkText(request.code, program, {
      isSession: request.session !== undefined,
      declared: readDeclared(host, request, program),
    }),
    ...adapters.modules.map((module) =>
      checkText(module.text, module, {
        isSession: false,
        module: { file: module.file, folder: posix.dirname(module.path) },
      }),
    ),
  ]);
  return mergeChecks(main, others);
};

/** Errors first, those of the program before those of its adapters, whose functions may be called any number of times. */
export const mergeChecks = (main: CheckResult, others: readonly CheckResult[]): CheckResult => {
  if (others.length === 0) return main;
  const diagnostics = [main, ...others].flatMap((one) => one.diagnostics);
  const calls = new Map(main.manifest.calls.map((call) => [`${call.server}\n${call.tool}`, call]));
  for (const call of others.flatMap(({ manifest }) => manifest.calls)) {
    const key = `${call.server}\n${call.tool}`;
    const before = calls.get(key);
    const same = Object.entries(before?.constants ?? call.constants).filter(
      ([name, value]) => JSON.stringify(call.constants[name]) === JSON.stringify(value),
    );
    calls.set(key, { ...call, count: "many", constants: Object.fromEntries(same) });
  }
  return {
    diagnostics: [
      ...diagnostics.filter(({ severity }) => severity === "error"),
      ...diagnostics.filter(({ severity }) => severity !== "error"),
    ],
    isGuessed: [main, ...others].some(({ isGuessed }) => isGuessed) || undefined,
    manifest: {
      calls: [...calls.values()],
      hasDynamicCalls: [main, ...others].some(({ manifest }) => manifest.hasDynamicCalls),
    },
  };
};

/** Suggestions for an import that is neither a tool nor an adapter. */
const listNear = async (
  host: Host,
  { imports }: PreparedProgram,
  catalogs: readonly ServerCatalog[],
  { find }: ReachedAdapters,
): Promise<ProgramCheck["adapterNames"]> => {
  const names = new Map<string, readonly string[]>();
  if (imports.some(({ path }) => isSkillPath(path) && find(path) === undefined))
    names.set(skillsServer, await listSkillPaths(host, "typescript"));
  for (const catalog of catalogs) {
    const isLost = imports.some(({ path }) => {
      const [, server, tool] = path.split("/");
      const isOwn = server === catalog.server || server === catalog.identifier;
      return isOwn && tool !== undefined && catalog.find(tool) === undefined && find(path) === undefined;
    });
    const place = isLost ? toAdapterPlace(host, `servers/${catalog.identifier}`) : undefined;
    if (place !== undefined) names.set(catalog.server, await listAdapters(place));
  }
  return [...names];
};

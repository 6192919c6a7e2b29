// Checks a program in TypeScript or Python, with the adapters and skills that it imports.
import { posix } from "node:path";
import type { CheckRequest, CheckResult, PreparedProgram } from "../../checker/index.js";
import { toPackageNames, toPythonAliases } from "../../codegen/index.js";
import { defaultRepeats, type Language, type ServerCatalog, skillsServer } from "../../contracts/index.js";
import { listAdapters } from "../../store/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/run-rights.js";
import { readDeclared } from "../sessions/session-history.js";
import type { CheckCodeRequest, PreparedCheck } from "./check-code.js";
import { checkProgram, prepareProgram } from "./checker.js";
import type { ProgramCheck } from "./checker-handlers.js";
import { isSkillPath, type ReachedAdapters, reachFrom, toAdapterPlace } from "./collect-adapters.js";
import { findMissingModules, isDataModule, toLibrariesFix } from "./python-libraries.js";
import { reachServer, readReached } from "./reach-servers.js";

export const checkTypescript = async (
  host: Host,
  request: CheckCodeRequest,
  { program, adapters, rights }: PreparedCheck,
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
        requester: host.requester,
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
const mergeChecks = (main: CheckResult, others: readonly CheckResult[]): CheckResult => {
  if (others.length === 0) return main;
  const diagnostics = [main, ...others].flatMap((one) => one.diagnostics);
  const dynamic = [main, ...others].flatMap(({ manifest }) => manifest.dynamic ?? []);
  return {
    diagnostics: [
      ...diagnostics.filter(({ severity }) => severity === "error"),
      ...diagnostics.filter(({ severity }) => severity !== "error"),
    ],
    omitted: [main, ...others].reduce((sum, { omitted = 0 }) => sum + omitted, 0) || undefined,
    isGuessed: [main, ...others].some(({ isGuessed }) => isGuessed) || undefined,
    manifest: {
      calls: [
        ...main.manifest.calls,
        ...others.flatMap(({ manifest }) =>
          manifest.calls.map((call) => ({ ...call, count: "many" as const, max: defaultRepeats })),
        ),
      ],
      hasDynamicCalls: [main, ...others].some(({ manifest }) => manifest.hasDynamicCalls),
      dynamic: dynamic.length === 0 ? undefined : dynamic,
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

/** A program with the skills that it imports. Their mistakes and calls count as its own. */
export const checkPython = async (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
): Promise<CheckResult> => {
  const skills = prepared.adapters.modules.filter(({ file, text }) => isSkillPath(file) && text !== "");
  // A skill with several names is the same text.
  const files = new Map(skills.map(({ file, text }) => [file, text]));
  const [main, ...others] = await Promise.all([
    checkText(host, request, prepared),
    ...[...files].map(async ([file, code]) => {
      const program = await prepareProgram(host.requester, code, { language: "python", isSession: false });
      const { session: _, ...own } = request;
      const result = await checkText(host, { ...own, code }, { ...prepared, program }, { file, folder: "" });
      return { ...result, diagnostics: result.diagnostics.map((one) => ({ ...one, file })) };
    }),
  ]);
  return mergeChecks(main, others);
};

const checkText = async (
  host: Host,
  request: CheckCodeRequest,
  { program, adapters, isRequested = false, rights }: PreparedCheck,
  module?: CheckRequest["module"],
): Promise<CheckResult> => {
  const reader = { text: request.code, words: program.words, imports: program.imports };
  const aliases = toPythonAliases(host.identifiers);
  const { catalogs, unlisted } = await readReached(
    host,
    reader,
    { allowed: rights.servers, waitMs: request.waitMs },
    aliases,
  );
  const { checker, interpreter } = host.configuration.settings.python;
  const missingModules = await findMissingModules(host, program, rights);
  return checkProgram(
    {
      language: "python",
      text: request.code,
      imported: program.imports.map(({ specifier }) => specifier),
      isSession: request.session !== undefined,
      declared: readDeclared(host, request, program),
      module,
      servers: await Promise.all(
        catalogs.map((catalog) => reachServer(host, catalog, { words: program.words, language: "python" })),
      ),
      unlisted,
      identifiers: [...host.identifiers],
      adapters: adapters.modules.flatMap(({ path, file, text }) =>
        isSkillPath(file) && text !== "" ? [{ path, text }] : [],
      ),
      adapterNames: [...nameAdapters(host, adapters)],
      globals: rights.allowedHosts.length > 0 ? ["fetch"] : [],
      deniedModules: rights.deniedModules,
      missingModules,
      sandboxNote:
        missingModules.length === 0 ? undefined : await describeSandbox(host, rights, missingModules),
      pythonTypes: { checker, interpreter, isRequested },
    },
    { catalogs, requester: host.requester },
  );
};

/** A program that imports a data library rarely wants a sandbox without libraries. */
const describeSandbox = async (
  host: Host,
  { profile }: RunRights,
  missing: readonly string[],
): Promise<string | undefined> => {
  const { executor, reason } = await host.executors.choose("python", profile.executor);
  const notes = [
    ...(missing.some(isDataModule) ? [toLibrariesFix(executor.name, host.configuration.settings)] : []),
    ...(executor.name === "python-lite" ? [`The sandbox ${reason}.`] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(" ");
};

/** Configured server → the modules beside its tools, e.g. `mcp_tools/github/triage.py`. */
const nameAdapters = (host: Host, { modules }: ReachedAdapters): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, string[]>();
  const skills = modules.filter(({ file }) => isSkillPath(file));
  names.set(
    skillsServer,
    skills.map(({ path }) =>
      path
        .slice("skills/".length)
        .replace(/(?:\/__init__)?\.py$/, "")
        .replaceAll("/", "."),
    ),
  );
  for (const [server, folder] of toPackageNames(host.identifiers)) {
    const own = modules.flatMap(({ file }) => {
      const [, place, name] = /(?:^|\/)mcp_tools\/([^/]+)\/([^/]+)\.py$/.exec(file) ?? [];
      return place === folder && name !== undefined ? [name] : [];
    });
    if (own.length > 0) names.set(server, own);
  }
  return names;
};

/** The paths that can be imported in a language. */
const listSkillPaths = async (host: Host, language: Language): Promise<readonly string[]> =>
  (await (await host.skills.open()).list())
    .filter((skill) => skill.language === language)
    .map(({ path }) => path);

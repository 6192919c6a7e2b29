// Checks a program in TypeScript or Python, with the adapters and skills that it imports.
import { posix } from "node:path";
import type { CheckRequest, CheckResult, PreparedModule, PreparedProgram } from "../../checker/index.js";
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

/** Checks a program, and each module of yours that it imports. Their mistakes and calls count as its own. */
export const checkWithModules = async (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
): Promise<CheckResult> => {
  const { session: _, ...others } = request;
  const checkModules = request.language === "python" ? checkPythonSkills : checkTypescriptModules;
  const [main, modules] = await Promise.all([
    checkText(host, request, prepared),
    checkModules(host, others, prepared),
  ]);
  return mergeChecks(main, modules);
};

const checkTypescriptModules: CheckModules = (host, request, prepared) =>
  Promise.all(
    prepared.adapters.modules.map((program) => {
      const { path, file, text } = program;
      const module = { file, folder: posix.dirname(path) };
      return checkText(host, { ...request, code: text }, { ...prepared, program }, module);
    }),
  );

/** Adapters in Python are checked by name only. */
const checkPythonSkills: CheckModules = (host, request, prepared) => {
  // A skill with several names is the same text.
  const files = new Map(listPythonSkills(prepared.adapters).map(({ file, text }) => [file, text]));
  return Promise.all(
    [...files].map(async ([file, code]) => {
      const program = await prepareProgram(host.requester, code, { language: "python", isSession: false });
      const module = { file, folder: "" };
      const result = await checkText(host, { ...request, code }, { ...prepared, program }, module);
      return { ...result, diagnostics: result.diagnostics.map((one) => ({ ...one, file })) };
    }),
  );
};

type CheckModules = (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
) => Promise<readonly CheckResult[]>;

/** A folder above a skill is an empty module. */
const listPythonSkills = ({ modules }: ReachedAdapters): readonly PreparedModule[] =>
  modules.filter(({ file, text }) => isSkillPath(file) && text !== "");

/** Checks one text: a program or a module. */
const checkText = async (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
  module?: CheckRequest["module"],
): Promise<CheckResult> => {
  const { program, adapters, rights } = prepared;
  const { code, language = "typescript", session, waitMs } = request;
  const isPython = language === "python";
  const reached = isPython ? [] : reachFrom(program, adapters);
  const words = new Set([program, ...reached].flatMap((one) => [...one.words]));
  const { catalogs, unlisted } = await readReached(
    host,
    {
      text: [code, ...reached.map(({ text }) => text)].join("\n"),
      words,
      imports: [program, ...reached].flatMap(({ imports }) => imports),
    },
    { allowed: rights.servers, waitMs },
    isPython ? toPythonAliases(host.identifiers) : undefined,
  );
  const servers = catalogs.map((catalog) => reachServer(host, catalog, { words, language }));
  const own = isPython
    ? await toPythonCheck(host, prepared)
    : await toTypescriptCheck(host, prepared, reached, catalogs);
  // If runs are not stored, neither is what a check saw of them. A check in Python depends on what is installed.
  const isStored = !isPython && host.configuration.settings.journal !== "off";
  return checkProgram(
    {
      language,
      text: code,
      imported: program.imports.map(({ specifier }) => specifier),
      isSession: session !== undefined,
      declared: readDeclared(host, request, program),
      module,
      servers: await Promise.all(servers),
      unlisted,
      identifiers: [...host.identifiers],
      globals: rights.allowedHosts.length > 0 ? ["fetch"] : [],
      ...own,
    },
    { requester: host.requester, catalogs, memory: isStored ? host.checks : undefined },
  );
};

type OwnCheck = Pick<
  ProgramCheck,
  "adapters" | "adapterNames" | "modules" | "deniedModules" | "missingModules" | "sandboxNote" | "pythonTypes"
>;

const toTypescriptCheck = async (
  host: Host,
  { program, adapters, rights }: PreparedCheck,
  reached: readonly PreparedModule[],
  catalogs: readonly ServerCatalog[],
): Promise<OwnCheck> => ({
  adapters: reached.map((module) => ({
    path: module.path,
    text: module.text,
    names: adapters.namesOf?.(module) ?? [],
  })),
  adapterNames: await listNear(host, program, catalogs, adapters),
  modules: rights.packages,
});

const toPythonCheck = async (
  host: Host,
  { program, adapters, rights, isRequested = false }: PreparedCheck,
): Promise<OwnCheck> => {
  const { checker, interpreter } = host.configuration.settings.python;
  const missingModules = await findMissingModules(host, program, rights);
  return {
    adapters: listPythonSkills(adapters).map(({ path, text }) => ({ path, text })),
    adapterNames: [...nameAdapters(host, adapters)],
    deniedModules: rights.deniedModules,
    missingModules,
    sandboxNote:
      missingModules.length === 0 ? undefined : await describeSandbox(host, rights, missingModules),
    pythonTypes: { checker, interpreter, isRequested },
  };
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

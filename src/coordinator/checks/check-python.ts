// Checks a Python program. Its adapters are files that the guest imports, and are not checked.
import type { CheckRequest, CheckResult } from "../../checker/index.js";
import { toPackageNames, toPythonAliases } from "../../codegen/index.js";
import { skillsServer } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { findMissingModules, isDataModule, toLibrariesFix } from "../runs/python-libraries.js";
import type { RunRights } from "../runs/to-run-rights.js";
import { readDeclared } from "../sessions/session-history.js";
import type { CheckCodeRequest, PreparedCheck } from "./check-code.js";
import { mergeChecks } from "./check-typescript.js";
import { checkProgram, prepareProgram } from "./checker.js";
import { isSkillPath, type ReachedAdapters } from "./collect-adapters.js";
import { reachServer, readReached } from "./reach-servers.js";

type Checking = PreparedCheck & { readonly rights: RunRights };

/** A program with the skills that it imports. Their mistakes and calls count as its own. */
export const checkPython = async (
  host: Host,
  request: CheckCodeRequest,
  checking: Checking,
): Promise<CheckResult> => {
  const skills = checking.adapters.modules.filter(({ file, text }) => isSkillPath(file) && text !== "");
  // A skill with several names is the same text.
  const files = new Map(skills.map(({ file, text }) => [file, text]));
  const [main, ...others] = await Promise.all([
    checkText(host, request, checking),
    ...[...files].map(async ([file, code]) => {
      const program = await prepareProgram(host.asker, code, { language: "python", isSession: false });
      const { session: _, ...own } = request;
      const result = await checkText(host, { ...own, code }, { ...checking, program }, { file, folder: "" });
      return { ...result, diagnostics: result.diagnostics.map((one) => ({ ...one, file })) };
    }),
  ]);
  return mergeChecks(main, others);
};

const checkText = async (
  host: Host,
  request: CheckCodeRequest,
  { program, adapters, isAsked, rights }: Checking,
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
      ...(missingModules.length === 0 ? {} : await describeSandbox(host, rights, missingModules)),
      pythonTypes: { checker, interpreter, isAsked },
    },
    { catalogs, asker: host.asker },
  );
};

/** A program that imports a data library rarely wants a sandbox without libraries. */
const describeSandbox = async (
  host: Host,
  { profile }: RunRights,
  missing: readonly string[],
): Promise<Pick<CheckRequest, "sandboxNote">> => {
  const { executor, reason } = await host.executors.choose("python", profile.executor);
  const notes = [
    ...(missing.some(isDataModule) ? [toLibrariesFix(executor.name, host.configuration.settings)] : []),
    ...(executor.name === "python-lite" ? [`The sandbox ${reason}.`] : []),
  ];
  return notes.length === 0 ? {} : { sandboxNote: notes.join(" ") };
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

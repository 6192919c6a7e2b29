// Links a program with the modules that it imports and the servers that it names as globals. It gets nothing else.
import { dirname, resolve } from "node:path";
import { networkServer } from "../../bridge/index.js";
import { type ProgramImport, programError } from "../../checker/index.js";
import {
  listToolsName,
  serversPath,
  toPythonAliases,
  writeLibraryModule,
  writeServersModule,
  writeToolModule,
  writeWorkspaceModule,
} from "../../codegen/index.js";
import {
  type CoordinatorError,
  discoveryNames,
  discoveryServer,
  type GuestJob,
  type Language,
  type LibraryFile,
  ownObject,
  peopleNames,
  peopleServer,
  type ServerCatalog,
  skillGlobals,
  skillsServer,
  storedNames,
  storedServer,
  toCoordinatorError,
  workspaceModules,
  workspaceNames,
  workspaceServer,
} from "../../contracts/index.js";
import { openPackages } from "../../executors/index.js";
import { nearestNames } from "../../schema/index.js";
import { isSkillPath, type ReachedAdapters } from "../checks/collect-adapters.js";
import { findLibraries } from "../checks/python-libraries.js";
import { findServer, type Host, quoteList, readCatalog, renewCatalog, unknownTool } from "../host/host.js";
import type { AdmittedRun } from "./admit.js";
import { markProgram } from "./open-plan.js";
import type { PreparedRun } from "./prepare.js";
import { serverNotAllowed } from "./run-rights.js";

/** The parts of a job that the program can access. */
type SelectedLibrary = Pick<GuestJob, "files" | "globals" | "libraries">;

/** The program and everything it can import. */
export type LinkedProgram = SelectedLibrary & { readonly code: string };

/** Throws PROGRAM_INVALID for an import that cannot be resolved, before anything runs. */
export const link = async (run: AdmittedRun, prepared: PreparedRun): Promise<LinkedProgram> => {
  const { host, request, language } = run;
  const { program, adapters } = prepared;
  const linked = { ...(await selectLibrary(run, prepared)), code: program.code };
  if (request.mode !== "plan") return linked;
  return markProgram(host.requester, linked, {
    language,
    isOwn: (path) => adapters.find(path) !== undefined,
  });
};

const selectLibrary = async (
  { host, language, rights }: AdmittedRun,
  { program, adapters }: PreparedRun,
): Promise<SelectedLibrary> => {
  const modules = [program, ...adapters.modules];
  const words = new Set(modules.flatMap((module) => [...module.words]));
  const globals = selectGlobals(host, words, { allowedHosts: rights.allowedHosts, language });
  if (language === "python") {
    checkModules(program.imports, rights.deniedModules);
    const files = adapters.modules.map(({ path, code }) => ({ path, source: code }));
    return { files, globals, libraries: findLibraries(modules) };
  }
  checkServers(host, program.imports, rights.servers);
  const imports = modules.flatMap((module) => module.imports);
  const own = selectWorkspace(imports);
  const isServer = ({ path }: ProgramImport): boolean => path === "servers" || path.startsWith("servers/");
  const isAdapter = ({ path }: ProgramImport): boolean => adapters.find(path) !== undefined;
  for (const statement of imports)
    if (isSkillPath(statement.path) && !isAdapter(statement)) throw unknownSkill(statement);
  const [files, packages] = await Promise.all([
    selectServers(
      host,
      imports.filter((statement) => isServer(statement) && !isAdapter(statement)),
    ),
    selectPackages(
      host,
      imports.filter(
        (statement) => !isServer(statement) && !isAdapter(statement) && !workspaceModules.has(statement.path),
      ),
      rights.packages,
    ),
  ]);
  return { files: [...files, ...packages, ...own, ...selectAdapters(imports, adapters)], globals };
};

/** An adapter is available under every path that leads to it. */
const selectAdapters = (
  imports: readonly ProgramImport[],
  { find }: ReachedAdapters,
): readonly LibraryFile[] =>
  [...new Set(imports.map(({ path }) => path))].flatMap((path) => {
    const module = find(path);
    return module === undefined ? [] : [{ path, source: module.code }];
  });

const selectServers = async (
  host: Host,
  imports: readonly ProgramImport[],
): Promise<readonly LibraryFile[]> => {
  const wanted = new Map<
    string,
    { catalog: ServerCatalog; tool?: string | undefined; names: Set<string>; isAll: boolean }
  >();
  for (const statement of imports.filter(({ path }) => path !== serversPath)) {
    const [server, tool] = splitPath(statement);
    const names = statement.names === "all" ? [] : statement.names.filter((name) => name !== "default");
    const tools = [...(tool === undefined ? [] : [tool]), ...names.filter((one) => one !== listToolsName)];
    let catalog = await readCatalog(host, findServerOf(host, statement, server).name);
    if (tools.some((name) => catalog.find(name) === undefined))
      catalog = (await renewCatalog(host, catalog)) ?? catalog;
    for (const name of tools) checkName(catalog, name, statement);
    const entry = wanted.get(statement.path) ?? {
      catalog,
      tool,
      names: new Set<string>(),
      isAll: false,
    };
    for (const name of names) entry.names.add(name);
    wanted.set(statement.path, { ...entry, isAll: entry.isAll || statement.names === "all" });
  }
  const servers = [...wanted].map(([path, { catalog, tool, names, isAll }]) => {
    const found = tool === undefined ? undefined : catalog.find(tool);
    const file =
      found === undefined
        ? writeLibraryModule({ catalog, names: isAll ? "all" : [...names] })
        : writeToolModule({ catalog, tool: found });
    return { ...file, path };
  });
  return [...servers, ...selectWhole(host, imports)];
};

/** The module "servers": the discovery functions, the servers by name, and all of them as default. */
const selectWhole = (host: Host, imports: readonly ProgramImport[]): readonly LibraryFile[] => {
  const whole = imports.filter(({ path }) => path === serversPath);
  if (whole.length === 0) return [];
  const isAll = whole.some(({ names }) => names === "all");
  const named = whole.flatMap((statement) => (statement.names === "all" ? [] : statement.names));
  const identifiers = [...host.identifiers.values()];
  // A server with the name of a function wins.
  const functions = discoveryNames.typescript.filter((name) => !identifiers.includes(name));
  for (const statement of whole) {
    for (const name of statement.names === "all" ? [] : statement.names)
      if (name !== "default" && !functions.includes(name)) findServerOf(host, statement, name);
  }
  const names = isAll ? [...identifiers, ...functions, ...named] : named;
  return [writeServersModule({ names, functions })];
};

/** The modules of the workspace. Throws for a name that they do not export. */
const selectWorkspace = (imports: readonly ProgramImport[]): readonly LibraryFile[] => {
  for (const statement of imports) {
    const known = workspaceModules.get(statement.path);
    if (known === undefined || statement.names === "all") continue;
    const missing = statement.names.find((name) => name !== "default" && !known.includes(name));
    if (missing === undefined) continue;
    throw programError(
      `Cannot import "${missing}" from "${statement.specifier}": the module has no such name here`,
      statement.position,
      `It has: ${known.join(", ")}. Files are read and written with await: import fs from "fs/promises".`,
    );
  }
  return [...new Set(imports.map(({ path }) => path))].flatMap((path) => writeWorkspaceModule(path) ?? []);
};

/** The program's own imports must resolve. An adapter may import more than this run uses. */
const checkServers = (
  host: Host,
  imports: readonly ProgramImport[],
  allowed: readonly string[] | undefined,
): void => {
  if (allowed === undefined) return;
  for (const statement of imports) {
    const [folder, server] = statement.path.split("/");
    if (folder !== "servers" || server === undefined) continue;
    const { name } = findServerOf(host, statement, server);
    if (!allowed.includes(name)) throw serverNotAllowed(name, allowed, statement.position);
  }
};

const unknownSkill = ({ specifier, position }: ProgramImport): CoordinatorError =>
  programError(
    `Cannot import "${specifier}": there is no such skill in TypeScript`,
    position,
    "List the skills with: await skills.list()",
  );

const checkModules = (imports: readonly ProgramImport[], denied: readonly string[]): void => {
  for (const statement of imports) {
    const name = denied.find(
      (module) => statement.path === module || statement.path.startsWith(`${module}.`),
    );
    if (name === undefined) continue;
    throw programError(
      `Cannot import "${statement.specifier}": the configuration denies the module "${name}"`,
      statement.position,
      "Do without it, or take it off coordinator.python.deny or the profile.",
    );
  }
};

/** The packages that the configuration lists and the run's profile allows. */
const selectPackages = async (
  host: Host,
  imports: readonly ProgramImport[],
  allowed: readonly string[],
): Promise<readonly LibraryFile[]> => {
  const [first] = imports;
  if (first === undefined) return [];
  const { settings, sources } = host.configuration;
  const packages = await openPackages({
    packages: allowed,
    resolveFrom: dirname(resolve(sources[0] ?? "mcp.json")),
    cacheFolder: settings.cacheFolder,
  });
  for (const statement of imports) {
    if (packages.isListed(statement.specifier)) continue;
    throw programError(
      `Cannot import "${statement.specifier}": only the connected servers${allowed.length === 0 ? "" : ` and the packages ${quoteList(allowed)}`} can be imported`,
      statement.position,
      'Import tools like this: import { toolName } from "servers/<server>". A program has no process or network of its own, and files under ./workspace/ through "fs/promises"; packages are listed in the configuration under coordinator.packages.',
    );
  }
  try {
    return await packages.select(imports);
  } catch (thrown) {
    const { message, hint } = toCoordinatorError(thrown);
    throw programError(message, first.position, hint);
  }
};

const selectGlobals = (
  host: Host,
  words: ReadonlySet<string>,
  { allowedHosts, language }: { readonly allowedHosts: readonly string[]; readonly language: Language },
): Record<string, string> => {
  const globals: Record<string, string> = allowedHosts.length > 0 ? { fetch: networkServer } : {};
  for (const name of discoveryNames[language]) if (words.has(name)) globals[name] = discoveryServer;
  for (const name of workspaceNames[language]) if (words.has(name)) globals[name] = workspaceServer;
  for (const name of skillGlobals[language]) if (words.has(name)) globals[name] = skillsServer;
  for (const name of storedNames[language]) if (words.has(name)) globals[name] = storedServer;
  for (const name of peopleNames[language]) if (words.has(name)) globals[name] = peopleServer;
  if (words.has(ownObject.name)) globals[ownObject.name] = ownObject.server;
  for (const [server, identifier] of host.identifiers) {
    if (words.has(identifier)) globals[identifier] = server;
  }
  if (language === "python")
    for (const [alias, server] of toPythonAliases(host.identifiers))
      if (words.has(alias) && globals[alias] === undefined) globals[alias] = server;
  return globals;
};

const splitPath = (statement: ProgramImport): [server: string, tool: string | undefined] => {
  const [folder, server, tool, ...rest] = statement.path.split("/");
  if (folder === "servers" && server !== undefined && rest.length === 0) return [server, tool];
  throw programError(
    `Cannot import "${statement.specifier}": expected "servers/<server>" or "servers/<server>/<tool>"`,
    statement.position,
    'Import tools like this: import { toolName } from "servers/<server>".',
  );
};

const findServerOf = (host: Host, statement: ProgramImport, server: string): { readonly name: string } => {
  try {
    return findServer(host, server);
  } catch {
    const identifiers = [...host.identifiers.values()];
    const near = nearestNames(server, identifiers);
    throw programError(
      `Cannot import "${statement.specifier}": no server "${server}" is connected`,
      statement.position,
      near.length > 0
        ? `Did you mean ${quoteList(near.map((name) => `servers/${name}`))}?`
        : `Connected are: ${identifiers.slice(0, 20).join(", ") || "none"}.`,
    );
  }
};

const checkName = (catalog: ServerCatalog, name: string, statement: ProgramImport): void => {
  if (catalog.find(name) !== undefined) return;
  throw programError(
    `Cannot import "${name}" from "${statement.specifier}": the server has no such tool`,
    statement.position,
    unknownTool(catalog, name).hint,
  );
};

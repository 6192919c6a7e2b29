// Collects the hand-written library files and skills that a program imports: the adapters.
import { posix } from "node:path";
import {
  type Diagnostic,
  type PreparedModule,
  type PreparedProgram,
  programError,
} from "../../checker/index.js";
import { generatedMarker, toPackageNames } from "../../codegen/index.js";
import {
  CoordinatorError,
  type Language,
  proposedCategory,
  type StoredSkill,
  skillsName,
  toCoordinatorError,
} from "../../contracts/index.js";
import { type Adapter, type AdapterPlace, listAdapters, readAdapter } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { type SignatureFindings, verifyModule, verifySkill } from "../skills/sign-skills.js";
import { prepareModule } from "./checker.js";

const prefix = `${skillsName}/`;

export const isSkillPath = (path: string): boolean => path.startsWith(prefix);

/** `web/read-papers@2` and `web/read-papers/v2` → the name and the version. */
const splitVersion = (name: string): { readonly name: string; readonly version?: number | undefined } => {
  const [, base, version] = /^(.+?)(?:@|\/v)([1-9]\d{0,8})$/.exec(name) ?? [];
  return base === undefined ? { name } : { name: base, version: Number(version) };
};

/** Undefined if there is no TypeScript skill of that name. */
const readSkillModule = async (
  host: Host,
  path: string,
  findings: SignatureFindings,
): Promise<Adapter | undefined> => {
  const store = await host.skills.open();
  const written = path.slice(prefix.length);
  const { name, version } = splitVersion(written);
  const skill = await store.find(name, { language: "typescript", version });
  const found = skill ?? (await store.readModule(written));
  if (found === undefined) return undefined;
  await (skill === undefined ? verifyModule(host, found, findings) : verifySkill(host, skill, findings));
  const file = prefix + found.file;
  return { path: file.replace(/\.\w+$/, ""), file, source: found.source };
};

export interface ReachedAdapters {
  readonly modules: readonly PreparedModule[];
  /** Finds the adapter of a path, whichever of the server's names it contains. */
  readonly find: (path: string) => PreparedModule | undefined;
  /** Skills that are not signed, or were edited since. */
  readonly unsigned?: readonly Diagnostic[] | undefined;
  /** Every path of a module, if one is a skill's. */
  readonly namesOf?: ((module: PreparedModule) => readonly string[]) | undefined;
}

const maxAdapters = 100;
const typescriptEndings = [".ts", ".mts", ".js", ".mjs"];

/** The folder of a server's adapters. Undefined if no library folder is set. */
export const toAdapterPlace = (host: Host, folder: string): AdapterPlace | undefined => {
  const root = host.configuration.settings.libraryFolder;
  const extensions = folder.startsWith("mcp_tools/") ? [".py"] : typescriptEndings;
  return root === undefined ? undefined : { root, folder, extensions, marker: generatedMarker };
};

/** Reads a program's adapters and those that they import. Throws PROGRAM_INVALID with the file of one that cannot be parsed. */
export const collectAdapters = (
  host: Host,
  program: PreparedProgram,
  { language, codeBytes }: { readonly language: Language; readonly codeBytes: number },
): Promise<ReachedAdapters> =>
  (language === "python" ? collectPython : collectTypescript)(host, program, codeBytes);

/** The adapters that the program or another of its adapters imports. */
const collectTypescript = async (
  host: Host,
  program: PreparedProgram,
  codeBytes: number,
): Promise<ReachedAdapters> => {
  const found = new Map<string, PreparedModule>();
  const toCanonical = createNaming(host);
  const findings: SignatureFindings = new Map();
  let bytes = Buffer.byteLength(program.text);
  const waiting = [...program.imports];
  const visited = new Set<string>();
  for (let statement = waiting.shift(); statement !== undefined; statement = waiting.shift()) {
    const path = toCanonical(statement.path);
    if (path === undefined || visited.has(path)) continue;
    visited.add(path);
    const adapter = await readModule(host, path, findings).catch((thrown: unknown) => {
      const { message, hint } = toCoordinatorError(thrown);
      throw programError(message, statement.position, hint);
    });
    if (adapter === undefined) continue;
    bytes += Buffer.byteLength(adapter.source);
    checkSize(bytes, found.size + 1, codeBytes);
    const module = await prepareModule(host.requester, adapter, "typescript");
    found.set(path, module);
    waiting.push(...module.imports);
  }
  return {
    modules: [...new Set(found.values())],
    unsigned: [...findings.values()],
    find: (path) => found.get(toCanonical(path) ?? ""),
    namesOf: (module) =>
      [...found].flatMap(([path, one]) => (one === module && isSkillPath(path) ? [path] : [])),
  };
};

const readModule = async (
  host: Host,
  path: string,
  findings: SignatureFindings,
): Promise<Adapter | undefined> => {
  if (isSkillPath(path)) return readSkillModule(host, path, findings);
  const cut = path.lastIndexOf("/");
  const place = toAdapterPlace(host, path.slice(0, cut));
  return place === undefined ? undefined : readAdapter(place, path.slice(cut + 1));
};

/** The adapters that one module reaches, including itself if the imports form a cycle. */
export const reachFrom = (
  { imports }: Pick<PreparedProgram, "imports">,
  { find }: ReachedAdapters,
): readonly PreparedModule[] => {
  const reached = new Set<PreparedModule>();
  const waiting = [...imports];
  for (let statement = waiting.pop(); statement !== undefined; statement = waiting.pop()) {
    const module = find(statement.path);
    if (module === undefined || reached.has(module)) continue;
    reached.add(module);
    waiting.push(...module.imports);
  }
  return [...reached].sort((one, other) => (one.path < other.path ? -1 : 1));
};

/** `servers/my-files/triage` → `servers/myFiles/triage`. Undefined if it is not a file of a known server. */
const createNaming = (host: Host): ((path: string) => string | undefined) => {
  const identifiers = new Map(
    [...host.identifiers].flatMap(([name, identifier]) => [
      [name.toLowerCase(), identifier],
      [identifier.toLowerCase(), identifier],
    ]),
  );
  return (path) => {
    if (isSkillPath(path)) return path;
    const [top, server = "", name, ...rest] = path.split("/");
    if (top !== "servers" || name === undefined || rest.length > 0) return undefined;
    const identifier = host.identifiers.get(server) ?? identifiers.get(server.toLowerCase());
    return identifier === undefined ? undefined : `servers/${identifier}/${name}`;
  };
};

export const checkSize = (bytes: number, count: number, codeBytes: number): void => {
  if (bytes > codeBytes)
    throw new CoordinatorError(
      "LIMIT_CODE",
      `Cannot run the program: its text${count === 0 ? " has" : " and the modules it imports have"} ${bytes} bytes, at most ${codeBytes} are allowed`,
    );
  if (count > maxAdapters)
    throw new CoordinatorError(
      "LIMIT_CODE",
      `Cannot run the program: it reaches more than ${maxAdapters} hand-written modules`,
      { hint: "Import fewer adapters and skills." },
    );
};

/** Returns the modules of the skills that these words name. */
type SelectSkills = (words: ReadonlySet<string>) => Promise<readonly Adapter[]>;

const identifier = /^[A-Za-z_]\w*$/;

const toIdentifier = (name: string): string => name.replaceAll("-", "_");

/** A folder in the guest: a package whose `__init__` is the skill. */
const toPackage = (folder: string, file: string, source: string): Adapter => ({
  path: `${skillsName}/${folder}/__init__.py`,
  file: `${skillsName}/${file}`,
  source,
});

const listModules = async (
  host: Host,
  skill: StoredSkill,
  folder: string,
  findings: SignatureFindings,
): Promise<readonly Adapter[]> => {
  const beside = await (await host.skills.open()).listModules(skill);
  await verifySkill(host, skill, findings);
  for (const module of beside) await verifyModule(host, module, findings);
  const own = posix.dirname(skill.file);
  return [
    toPackage(folder, skill.file, skill.source),
    ...beside.map(({ file, source }) => ({
      path: `${skillsName}/${folder}/${posix.relative(own, file)}`,
      file: `${skillsName}/${file}`,
      source,
    })),
  ];
};

/** Folders above a skill need packages, too. */
const listParents = (path: string): readonly Adapter[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => {
    const folder = parts.slice(0, at + 1).join("/");
    return toPackage(folder, `${folder}/__init__.py`, "");
  });
};

/** Skips programs that do not name the folder. */
const openPythonSkills = async (
  host: Host,
  words: ReadonlySet<string>,
  findings: SignatureFindings,
): Promise<SelectSkills> => {
  if (!words.has(skillsName)) return async () => [];
  const store = await host.skills.open();
  const all = await store.list();
  const taken = new Set<string>();
  return async (named) => {
    const modules: Adapter[] = [];
    for (const newest of all) {
      const name = toIdentifier(newest.name);
      if (!named.has(name) || taken.has(newest.path)) continue;
      taken.add(newest.path);
      const path = toIdentifier(newest.path);
      if (!path.split("/").every((part) => identifier.test(part))) continue;
      // Also under its last name alone, if that is unique.
      const isOnly =
        newest.category?.split("/")[0] !== proposedCategory &&
        all.every((one) => one === newest || toIdentifier(one.name) !== name);
      const folders = [...new Set([path, ...(isOnly ? [name] : [])])];
      const versions = newest.versions.filter((one) => one !== newest.version && named.has(`v${one}`));
      for (const folder of folders) {
        modules.push(...listParents(folder));
        if (newest.language === "python")
          modules.push(...(await listModules(host, newest, folder, findings)));
        for (const version of versions) {
          const skill = await store.find(newest.path, { version, language: "python" });
          if (skill !== undefined)
            modules.push(...(await listModules(host, skill, `${folder}/v${version}`, findings)));
        }
      }
    }
    return modules;
  };
};

/** The adapters named in the program or in another of its adapters. */
const collectPython = async (
  host: Host,
  program: PreparedProgram,
  codeBytes: number,
): Promise<ReachedAdapters> => {
  const found = new Map<string, PreparedModule>();
  const findings: SignatureFindings = new Map();
  const selectSkills = await openPythonSkills(host, program.words, findings);
  let bytes = Buffer.byteLength(program.text);
  const waiting = [program.words];
  const add = async (adapter: Adapter): Promise<void> => {
    if (found.has(adapter.path)) return;
    bytes += Buffer.byteLength(adapter.source);
    checkSize(bytes, found.size + 1, codeBytes);
    const module = await prepareModule(host.requester, adapter, "python");
    found.set(adapter.path, module);
    waiting.push(module.words);
  };
  for (let words = waiting.pop(); words !== undefined; words = waiting.pop()) {
    for (const module of await selectSkills(words)) await add(module);
    for (const [server, folder] of toPackageNames(host.identifiers)) {
      const place = toAdapterPlace(host, `mcp_tools/${folder}`);
      if (place === undefined) break;
      const isNamed = [server, folder, host.identifiers.get(server) ?? ""].some((name) => words.has(name));
      // An adapter imports its neighbours without naming the server.
      if (!isNamed && ![...found.keys()].some((file) => file.startsWith(`${place.folder}/`))) continue;
      const names = (await listAdapters(place)).filter((name) => words.has(name));
      for (const name of names) {
        const adapter = await readAdapter(place, name);
        // The guest names modules after their files.
        if (adapter !== undefined) await add({ ...adapter, path: adapter.file });
      }
    }
  }
  return {
    modules: [...found.values()],
    unsigned: [...findings.values()],
    find: (path) => found.get(path),
  };
};

// Collects the hand-written library files and skills that a TypeScript program imports.
import {
  type Diagnostic,
  type PreparedModule,
  type PreparedProgram,
  programError,
} from "../../checker/index.js";
import { generatedMarker } from "../../codegen/index.js";
import { CoordinatorError, type Language, skillsName, toCoordinatorError } from "../../contracts/index.js";
import { type Adapter, type AdapterPlace, readAdapter } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { judgeModule, judgeSkill, type SignatureFindings } from "../skills/sign-skills.js";
import { prepareModule } from "./checker.js";

const prefix = `${skillsName}/`;

export const isSkillPath = (path: string): boolean => path.startsWith(prefix);

/** `web/read-papers@2` and `web/read-papers/v2` → the name and the version. */
const splitVersion = (name: string): { readonly name: string; readonly version?: number | undefined } => {
  const [, base, version] = /^(.+?)(?:@|\/v)([1-9]\d{0,8})$/.exec(name) ?? [];
  return base === undefined ? { name } : { name: base, version: Number(version) };
};

const withoutEnding = (file: string): string => file.replace(/\.\w+$/, "");

/** Undefined if there is no TypeScript skill of that name. */
const readSkillModule = async (
  host: Host,
  path: string,
  findings: SignatureFindings,
): Promise<Adapter | undefined> => {
  const store = await host.skills.open();
  const written = path.slice(prefix.length);
  const { name, version } = splitVersion(written);
  const skill = await store.find(name, {
    language: "typescript",
    version,
  });
  const found = skill ?? (await store.readModule(written));
  if (found === undefined) return undefined;
  await (skill === undefined ? judgeModule(host, found, findings) : judgeSkill(host, skill, findings));
  const file = prefix + found.file;
  return { path: withoutEnding(file), file, source: found.source };
};

/** The paths that can be imported in a language. */
export const listSkillPaths = async (host: Host, language: Language): Promise<readonly string[]> =>
  (await (await host.skills.open()).list())
    .filter((skill) => skill.language === language)
    .map(({ path }) => path);

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

/** Reads a TypeScript program's adapters. Throws PROGRAM_INVALID with the file of one that cannot be parsed. */
export const collectAdapters = async (
  host: Host,
  program: PreparedProgram,
  { codeBytes }: { readonly codeBytes: number },
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
    const module = await prepareModule(host.asker, adapter, "typescript");
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
  let identifiers: ReadonlyMap<string, string> | undefined;
  // Most programs import nothing that needs this.
  const readIdentifiers = () =>
    new Map(
      [...host.identifiers].flatMap(([name, identifier]) => [
        [name.toLowerCase(), identifier],
        [identifier.toLowerCase(), identifier],
      ]),
    );
  return (path) => {
    if (isSkillPath(path)) return path;
    const [top, server = "", name, ...rest] = path.split("/");
    if (top !== "servers" || name === undefined || rest.length > 0) return undefined;
    identifiers ??= readIdentifiers();
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

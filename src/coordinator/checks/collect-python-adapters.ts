// Collects the hand-written library files and skills that a Python program names.
import { posix } from "node:path";
import type { PreparedModule, PreparedProgram } from "../../checker/index.js";
import { toPackageNames } from "../../codegen/index.js";
import { proposedCategory, type StoredSkill, skillsName } from "../../contracts/index.js";
import { type Adapter, listAdapters, readAdapter } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { judgeModule, judgeSkill, type SignatureFindings } from "../skills/sign-skills.js";
import { prepareModule } from "./checker.js";
import { checkSize, type ReachedAdapters, toAdapterPlace } from "./collect-adapters.js";

interface PythonSkills {
  /** The modules of the skills named by these words. */
  readonly select: (words: ReadonlySet<string>) => Promise<readonly Adapter[]>;
}

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
  await judgeSkill(host, skill, findings);
  for (const module of beside) await judgeModule(host, module, findings);
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
): Promise<PythonSkills> => {
  if (!words.has(skillsName)) return { select: async () => [] };
  const store = await host.skills.open();
  const all = await store.list();
  const taken = new Set<string>();
  return {
    select: async (named) => {
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
    },
  };
};

/** The adapters named in the program or in another of its adapters. */
export const collectPythonAdapters = async (
  host: Host,
  program: PreparedProgram,
  { codeBytes }: { readonly codeBytes: number },
): Promise<ReachedAdapters> => {
  const found = new Map<string, PreparedModule>();
  const findings: SignatureFindings = new Map();
  const skills = await openPythonSkills(host, program.words, findings);
  let bytes = Buffer.byteLength(program.text);
  const waiting = [program.words];
  const add = async (adapter: Adapter): Promise<void> => {
    if (found.has(adapter.path)) return;
    bytes += Buffer.byteLength(adapter.source);
    checkSize(bytes, found.size + 1, codeBytes);
    const module = await prepareModule(host.asker, adapter, "python");
    found.set(adapter.path, module);
    waiting.push(module.words);
  };
  for (let words = waiting.pop(); words !== undefined; words = waiting.pop()) {
    for (const module of await skills.select(words)) await add(module);
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

// Finds the skill of a TypeScript import: its newest version, an older one, or a file beside it.
import { type Language, skillsName } from "../../contracts/index.js";
import type { Adapter } from "../../store/index.js";
import type { Host } from "../host/host.js";

const prefix = `${skillsName}/`;

export const isSkillPath = (path: string): boolean => path.startsWith(prefix);

/** `web/read-papers@2` and `web/read-papers/v2` → the name and the version. */
const splitVersion = (name: string): { readonly name: string; readonly version?: number | undefined } => {
  const [, base, version] = /^(.+?)(?:@|\/v)([1-9]\d{0,8})$/.exec(name) ?? [];
  return base === undefined ? { name } : { name: base, version: Number(version) };
};

const withoutEnding = (file: string): string => file.replace(/\.\w+$/, "");

/** Undefined if there is no TypeScript skill of that name. */
export const readSkillModule = async (host: Host, path: string): Promise<Adapter | undefined> => {
  const store = await host.skills.open();
  const written = path.slice(prefix.length);
  const { name, version } = splitVersion(written);
  const skill = await store.find(name, {
    language: "typescript",
    version,
  });
  const found = skill ?? (await store.readModule(written));
  if (found === undefined) return undefined;
  const file = prefix + found.file;
  return { path: withoutEnding(file), file, source: found.source };
};

/** The paths that can be imported in a language. */
export const listSkillPaths = async (host: Host, language: Language): Promise<readonly string[]> =>
  (await (await host.skills.open()).list())
    .filter((skill) => skill.language === language)
    .map(({ path }) => path);

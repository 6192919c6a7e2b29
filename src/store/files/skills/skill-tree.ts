// The skills folder as a tree: what is a skill in it, what a category. Only real files inside of it are read, of a bounded size.
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { CoordinatorError, type Language } from "../../../contracts/index.js";
import { isReadableName } from "../../skills/skill-name.js";

/** A skill's place: a folder of the public format, or one file. */
export interface SkillPlace {
  /** With its category, without an ending. */
  readonly path: string;
  readonly name: string;
  /** The one file that it is; absent when it is a folder. */
  readonly file?: string;
}

const deepest = 4;
const mostEntries = 5000;
const largestBytes = 1024 * 1024;
export const documentName = "SKILL.md";
export const typescriptEndings = [".ts", ".mts", ".js", ".mjs"];
const endings = [...typescriptEndings, ".py"];
const notSkills = /(?:\.d\.m?ts|[._](?:test|spec)\.\w+)$/;

export const toLanguage = (file: string): Language => (file.endsWith(".py") ? "python" : "typescript");

const toStem = (file: string): string | undefined => {
  const ending = endings.find((one) => file.endsWith(one));
  return ending === undefined || notSkills.test(file) ? undefined : file.slice(0, -ending.length);
};

/** The bytes of a file; undefined when it is not there, is no plain file, or is reached through a link. */
export const readBytes = async (
  root: string,
  file: string,
  largest = largestBytes,
): Promise<Buffer | undefined> => {
  let target: string;
  try {
    const home = await realpath(root);
    target = await realpath(join(root, file));
    if (target !== join(home, ...file.split("/")) || !target.startsWith(home + sep)) return undefined;
  } catch {
    return undefined;
  }
  // A pipe in its place must not be waited for.
  const handle = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    if (facts.size > largest)
      throw new CoordinatorError(
        "LIMIT_CODE",
        `Cannot read "skills/${file}": it has ${facts.size} bytes, at most ${largest} are allowed`,
        { hint: "Split the skill into smaller files." },
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

export const readText = async (root: string, file: string): Promise<string | undefined> =>
  (await readBytes(root, file))?.toString("utf8");

const listFolder = async (root: string, folder: string) => {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => isReadableName(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** Where the program of a folder may be, without an ending. */
const entryStems = (name: string): readonly string[] => ["scripts/main", "main", "index", `scripts/${name}`];

/** The program's file in a skill's folder, from that folder. */
export const findEntry = async (
  root: string,
  { path, name }: SkillPlace,
  wanted?: string,
): Promise<string | undefined> => {
  const named = [wanted ?? ""].filter(
    (file) => file.split("/").every(isReadableName) && toStem(file) !== undefined,
  );
  const candidates = [
    ...named,
    ...entryStems(name).flatMap((stem) => endings.map((ending) => stem + ending)),
  ];
  for (const candidate of candidates)
    if ((await readBytes(root, `${path}/${candidate}`)) !== undefined) return candidate;
  return undefined;
};

const isSkillFolder = async (root: string, folder: string): Promise<boolean> => {
  const names = (await listFolder(root, folder)).map(({ name }) => name);
  if (names.includes(documentName)) return true;
  if (names.some((name) => ["main", "index"].includes(toStem(name) ?? ""))) return true;
  if (!names.includes("scripts")) return false;
  return (await listFolder(root, `${folder}/scripts`)).some(({ name }) => toStem(name) === "main");
};

/** What is called exactly so, without looking through the tree. */
export const findPlaces = async (root: string, path: string): Promise<readonly SkillPlace[]> => {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  if (!parts.every(isReadableName)) return [];
  const places: SkillPlace[] = (await isSkillFolder(root, path)) ? [{ path, name }] : [];
  const folder = parts.slice(0, -1).join("/");
  // Only a category holds single files: the files of a skill are its own.
  for (let count = 1; count < parts.length; count++)
    if (await isSkillFolder(root, parts.slice(0, count).join("/"))) return [];
  const files = (await listFolder(root, folder)).filter(
    (entry) => entry.isFile() && toStem(entry.name) === name,
  );
  return [...places, ...files.map((entry) => ({ path, name, file: posix.join(folder, entry.name) }))];
};

/** Every place of a skill, sorted. Names that begin with a dot or an underscore are none. */
export const listPlaces = async (root: string): Promise<readonly SkillPlace[]> => {
  const places: SkillPlace[] = [];
  let entries = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await listFolder(root, folder)) {
      if (++entries > mostEntries) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const stem = entry.isFile() ? toStem(entry.name) : undefined;
      if (stem !== undefined)
        places.push({ path: path.slice(0, path.length - entry.name.length) + stem, name: stem, file: path });
      if (!entry.isDirectory()) continue;
      if (await isSkillFolder(root, path)) places.push({ path, name: entry.name });
      else if (depth < deepest) await walk(path, depth + 1);
    }
  };
  await walk("", 1);
  return places;
};

/** The files below a folder, from that folder; older versions of a skill are not among them. */
export const listFiles = async (root: string, folder: string, most: number): Promise<readonly string[]> => {
  const files: string[] = [];
  const walk = async (inner: string): Promise<void> => {
    for (const entry of await listFolder(root, join(folder, inner))) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (files.length >= most || path === "versions") continue;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory()) await walk(path);
    }
  };
  await walk("");
  return files;
};

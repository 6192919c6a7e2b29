// The skills folder: names that cannot leave it, its skills and categories, and reads of regular files of a bounded size.
import { readdir, realpath } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { CoordinatorError, type Language, proposedCategory } from "../../../contracts/index.js";
import { isDeviceName } from "../../check-input.js";
import { readBounded } from "../../file-io.js";

/** Where a skill is: a folder in the public format, or one file. */
export interface SkillPlace {
  /** With its category, without an extension. */
  readonly path: string;
  readonly name: string;
  /** Absent if the skill is a folder. */
  readonly file?: string | undefined;
}

const maxDepth = 4;
const maxEntries = 5000;
const defaultMaxBytes = 1024 * 1024;
export const documentName = "SKILL.md";
export const typescriptExtensions = [".ts", ".mts", ".js", ".mjs"];
const extensions = [...typescriptExtensions, ".py"];
const notSkills = /(?:\.d\.m?ts|[._](?:test|spec)\.\w+)$/;

export const toLanguage = (file: string): Language => (file.endsWith(".py") ? "python" : "typescript");

const toStem = (file: string): string | undefined => {
  const extension = extensions.find((one) => file.endsWith(one));
  return extension === undefined || notSkills.test(file) ? undefined : file.slice(0, -extension.length);
};

/** The bytes of a file; undefined if it is missing, not a regular file, or behind a link. */
export const readBytes = async (
  root: string,
  file: string,
  maxBytes = defaultMaxBytes,
): Promise<Buffer | undefined> => {
  let target: string;
  try {
    const home = await realpath(root);
    target = await realpath(join(root, file));
    if (target !== join(home, ...file.split("/")) || !target.startsWith(home + sep)) return undefined;
  } catch {
    return undefined;
  }
  const tooLarge = (bytes: number): CoordinatorError =>
    new CoordinatorError(
      "LIMIT_CODE",
      `Cannot read "skills/${file}": it has ${bytes} bytes, at most ${maxBytes} are allowed`,
      { hint: "Split the skill into smaller files." },
    );
  return readBounded(target, { maxBytes, tooLarge });
};

export const readText = async (root: string, file: string): Promise<string | undefined> =>
  (await readBytes(root, file))?.toString("utf8");

const listFolder = async (root: string, folder: string) => {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => isReadableName(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** Where the program of a folder may be, without an extension. */
const entryStems = (name: string): readonly string[] => ["scripts/main", "main", "index", `scripts/${name}`];

/** The program's file, relative to the skill's folder. */
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
    ...entryStems(name).flatMap((stem) => extensions.map((extension) => stem + extension)),
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

/** The skills with exactly this path, without walking the tree. */
export const findPlaces = async (root: string, path: string): Promise<readonly SkillPlace[]> => {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  if (!parts.every(isReadableName)) return [];
  const places: SkillPlace[] = (await isSkillFolder(root, path)) ? [{ path, name }] : [];
  const folder = parts.slice(0, -1).join("/");
  // Only categories contain single-file skills: the files in a skill folder belong to that skill.
  for (let count = 1; count < parts.length; count++)
    if (await isSkillFolder(root, parts.slice(0, count).join("/"))) return [];
  const files = (await listFolder(root, folder)).filter(
    (entry) => entry.isFile() && toStem(entry.name) === name,
  );
  return [...places, ...files.map((entry) => ({ path, name, file: posix.join(folder, entry.name) }))];
};

/** All skills, sorted. Names that begin with a dot or an underscore are skipped. */
export const listPlaces = async (root: string): Promise<readonly SkillPlace[]> => {
  const places: SkillPlace[] = [];
  let entries = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await listFolder(root, folder)) {
      if (++entries > maxEntries) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const stem = entry.isFile() ? toStem(entry.name) : undefined;
      if (stem !== undefined)
        places.push({ path: path.slice(0, path.length - entry.name.length) + stem, name: stem, file: path });
      if (!entry.isDirectory()) continue;
      if (await isSkillFolder(root, path)) places.push({ path, name: entry.name });
      else if (depth < maxDepth) await walk(path, depth + 1);
    }
  };
  await walk("", 1);
  return places;
};

/** The files below a folder, relative to it, without older versions of the skill. */
export const listFiles = async (
  root: string,
  folder: string,
  maxFiles: number,
): Promise<readonly string[]> => {
  const files: string[] = [];
  const walk = async (inner: string): Promise<void> => {
    for (const entry of await listFolder(root, join(folder, inner))) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (files.length >= maxFiles || path === "versions") continue;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory()) await walk(path);
    }
  };
  await walk("");
  return files;
};

const maxNameLength = 64;
const maxCategories = 3;
/** Accepted when reading; saved names are stricter. */
const readable = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const plain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Folders of a skill, or folders that other tools create everywhere. */
const reserved = new Set(["node-modules", "scripts", "versions", "tests", "references", "assets"]);

const refuse = (what: string, text: string): CoordinatorError =>
  new CoordinatorError(
    "NAME_INVALID",
    `Cannot use the ${what} ${JSON.stringify(text.slice(0, 80))}: expected up to ${maxNameLength} letters and digits, in words`,
    { hint: 'Use a name such as "research-pipeline".' },
  );

export const isReadableName = (name: string): boolean =>
  readable.test(name) && !isDeviceName(name) && name !== "node_modules";

/** `Db Backup`, `dbBackup`, `db_backup` → `db-backup`. */
const toWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");

const checkName = (what: string, text: string): string => {
  const name = toWords(text.trim());
  const isGood =
    name.length <= maxNameLength && plain.test(name) && !isDeviceName(name) && !reserved.has(name);
  if (!isGood) throw refuse(what, text);
  return name;
};

/** Throws NAME_INVALID if the title has no valid name in it. */
export const toSkillName = (title: string): string => checkName("skill", title);

/** `Research/Web` → `research/web`. */
export const toCategory = (text: string): string => {
  const parts = text.split("/").map((part) => checkName("category", part));
  if (parts.length > maxCategories) throw refuse("category", text);
  return parts.join("/");
};

/** The same for every spelling that programs use for a skill. */
export const toLooseName = (name: string): string => name.toLowerCase().replaceAll("_", "-");

/** The skills that a name refers to: by path, or by last name. */
export const selectNamed = <Named extends { readonly path: string; readonly name: string }>(
  all: readonly Named[],
  name: string,
): readonly Named[] => {
  const wanted = toLooseName(name);
  const exact = all.filter(({ path }) => toLooseName(path) === wanted);
  if (exact.length > 0) return exact;
  // A proposed skill is never found by its last name.
  const named = all.filter(
    (one) => toLooseName(one.name) === wanted && one.path.split("/")[0] !== proposedCategory,
  );
  // Two skills with the same last name need their category.
  return new Set(named.map(({ path }) => toLooseName(path))).size === 1 ? named : [];
};

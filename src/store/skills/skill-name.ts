// Skill names in the public format, made from what people and programs call a skill; none can leave the folder.
import { CoordinatorError, proposedCategory } from "../../contracts/index.js";
import { isDeviceName } from "../check-input.js";

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

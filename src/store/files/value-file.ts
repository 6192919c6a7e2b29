// The two files of a kept value: its content, which people can open, and its facts.
import { createHash, hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, type KeptContent, type KeptEntry, type Steps } from "../../contracts/index.js";

const keptId = /^k_[0-9a-f]{20}$/;
/** Bytes that are hashed at once. */
const hashedBytes = 1024 * 1024;
const factsEnding = ".facts";

/** What is written of a value; the time of the file is that of the last use. */
export type WrittenFacts = Omit<KeptEntry, "keptAt"> & { readonly file: string };

export const keptUnknown = (id: string): CoordinatorError =>
  new CoordinatorError(
    "KEPT_UNKNOWN",
    `Cannot find the kept value ${JSON.stringify(id.slice(0, 60))}: the workspace keeps none of that id`,
  );

/** The id as it is. Throws KEPT_UNKNOWN for what can be none, so that no path is ever made of it. */
export const checkId = (id: string): string => {
  if (keptId.test(id)) return id;
  throw keptUnknown(id);
};

/** Of the content and what it is called: the same is kept once, and a run that is gone on with finds it again. */
export function* toId(bytes: Uint8Array, { name = "", mimeType = "" }: Partial<KeptContent>): Steps<string> {
  const content = createHash("sha256");
  for (let from = 0; from < bytes.length; from += hashedBytes) {
    content.update(bytes.subarray(from, from + hashedBytes));
    yield undefined;
  }
  const digest = content.digest("hex");
  const isNamed = name !== "" || mimeType !== "";
  return `k_${(isNamed ? hash("sha256", JSON.stringify([digest, name, mimeType])) : digest).slice(0, 20)}`;
}

export const factsPath = (folder: string, id: string): string => join(folder, `${id}${factsEnding}`);
export const isFactsName = (name: string): boolean => name.endsWith(factsEnding);
export const toIdOf = (factsName: string): string => factsName.slice(0, -factsEnding.length);

/** An ending that opens the file in the right program. */
export const toEnding = (kind: KeptEntry["kind"], name: string | undefined): string => {
  const [, own] = /\.([a-z0-9]{1,8})$/i.exec(name ?? "") ?? [];
  return own?.toLowerCase() ?? (kind === "text" ? "txt" : kind === "bytes" ? "bin" : "json");
};

/** Undefined when it is not there, or not what was written. */
export const readFacts = async (
  folder: string,
  id: string,
): Promise<{ readonly entry: KeptEntry; readonly file: string } | undefined> => {
  try {
    const path = factsPath(folder, id);
    const { file, ...facts } = JSON.parse(await readFile(path, "utf8")) as WrittenFacts;
    if (facts.id !== id || file !== `${id}.${toEnding(facts.kind, facts.name)}`) return undefined;
    return { entry: { ...facts, keptAt: (await stat(path)).mtime.toISOString() }, file: join(folder, file) };
  } catch {
    return undefined;
  }
};

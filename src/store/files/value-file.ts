// The two files of a stored value: its content, which people can open, and its facts.
import { createHash, hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, type KeptContent, type KeptEntry, type Steps } from "../../contracts/index.js";

const valueId = /^k_[0-9a-f]{20}$/;
/** Bytes hashed between two pauses. */
const hashedBytes = 1024 * 1024;
const factsExtension = ".facts";

/** The facts as stored; the file's time is that of the last use. */
export type WrittenFacts = Omit<KeptEntry, "keptAt"> & { readonly file: string };

export const valueUnknown = (id: string): CoordinatorError =>
  new CoordinatorError(
    "KEPT_UNKNOWN",
    `Cannot find the stored value ${JSON.stringify(id.slice(0, 60))}: the workspace has none with that id`,
  );

/** Throws KEPT_UNKNOWN for an invalid id, so that it never becomes part of a path. */
export const checkId = (id: string): string => {
  if (valueId.test(id)) return id;
  throw valueUnknown(id);
};

/** Derived from the content and its name: equal values are stored once, and a resumed run finds them again. */
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

export const factsPath = (folder: string, id: string): string => join(folder, `${id}${factsExtension}`);
export const isFactsName = (name: string): boolean => name.endsWith(factsExtension);
export const toIdOf = (factsName: string): string => factsName.slice(0, -factsExtension.length);

/** The extension that opens the file in the right program. */
export const toExtension = (kind: KeptEntry["kind"], name: string | undefined): string => {
  const [, own] = /\.([a-z0-9]{1,8})$/i.exec(name ?? "") ?? [];
  return own?.toLowerCase() ?? (kind === "text" ? "txt" : kind === "bytes" ? "bin" : "json");
};

/** Undefined if the file is missing or not what was written. */
export const readFacts = async (
  folder: string,
  id: string,
): Promise<{ readonly entry: KeptEntry; readonly file: string } | undefined> => {
  try {
    const path = factsPath(folder, id);
    const { file, ...facts } = JSON.parse(await readFile(path, "utf8")) as WrittenFacts;
    if (facts.id !== id || file !== `${id}.${toExtension(facts.kind, facts.name)}`) return undefined;
    return { entry: { ...facts, keptAt: (await stat(path)).mtime.toISOString() }, file: join(folder, file) };
  } catch {
    return undefined;
  }
};

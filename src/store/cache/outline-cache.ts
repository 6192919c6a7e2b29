// The outline of a catalog as it was last shown, so that a start need not read every listing to show it again.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeptOutline, OutlineStore } from "../../contracts/index.js";

const format = "mcp-coordinator/outline";
/** Raise it when the meaning of a field changes: older files are then misses. */
const version = 1;
const monthMs = 30 * 24 * 60 * 60 * 1000;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOutline = (value: unknown): value is KeptOutline["outline"] =>
  isFields(value) &&
  typeof value.names === "string" &&
  Array.isArray(value.signatures) &&
  value.signatures.every((line) => typeof line === "string") &&
  typeof value.knownTools === "number" &&
  typeof value.unknownServers === "number" &&
  typeof value.unknownNames === "string" &&
  typeof value.isComplete === "boolean";

/** FNV-1a with four seeds: enough to tell configurations apart, and a start does not wait for a real hash to load. */
const toName = (key: string): string => {
  const seeds = [0x811c9dc5, 0x9747b28c, 0x2f0b4a27, 0x5bd1e995];
  const hash = (seed: number): string => {
    let value = seed;
    for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  };
  return seeds.map(hash).join("");
};

const parse = (text: string, name: string): KeptOutline | undefined => {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(file) || file.format !== format || file.version !== version || file.name !== name)
    return undefined;
  const { stamp, digest, madeAtMs, outline } = file;
  if (typeof stamp !== "string" || typeof digest !== "string" || typeof madeAtMs !== "number")
    return undefined;
  return isOutline(outline) ? { stamp, digest, madeAtMs, outline } : undefined;
};

/** Opens the store in `<folder>/outlines`; the folder is made on the first write. */
export const openOutlineStore = (folder: string): OutlineStore => {
  const outlines = join(folder, "outlines");

  /** Every configuration and version has a file of its own: those that nobody asks for any more go. */
  const removeOld = async (): Promise<void> => {
    for (const name of await readdir(outlines)) {
      const found = await stat(join(outlines, name)).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs > monthMs)
        await rm(join(outlines, name), { force: true });
    }
  };

  return {
    read: async (key) => {
      const name = toName(key);
      const text = await readFile(join(outlines, `${name}.json`), "utf8").catch(() => undefined);
      return text === undefined ? undefined : parse(text, name);
    },
    write: async (key, kept) => {
      const name = toName(key);
      const draft = join(outlines, `${name}.${process.pid}.draft`);
      try {
        await mkdir(outlines, { recursive: true, mode: 0o700 });
        await writeFile(draft, JSON.stringify({ format, version, name, ...kept }), { mode: 0o600 });
        await rename(draft, join(outlines, `${name}.json`));
        await removeOld();
      } catch {
        // What cannot be kept is made again.
      }
    },
  };
};

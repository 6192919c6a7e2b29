// The cached outline of a catalog, and a stamp that tells whether the listings behind it have changed.
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFields, type OutlineStore, type StoredOutline } from "../../contracts/index.js";
import { parseFormat, removeOldest } from "../file-io.js";

const outlineFormat = { format: "mcp-coordinator/outline", version: 1 };
const monthMs = 30 * 24 * 60 * 60 * 1000;
const maxOutlines = 200;

const isOutline = (value: unknown): value is StoredOutline["outline"] =>
  isFields(value) &&
  typeof value.names === "string" &&
  Array.isArray(value.signatures) &&
  value.signatures.every((line) => typeof line === "string") &&
  typeof value.knownTools === "number" &&
  typeof value.unknownServers === "number" &&
  typeof value.unknownNames === "string" &&
  typeof value.isComplete === "boolean";

/** FNV-1a with four seeds: distinguishes configurations, and the start need not load `node:crypto`. */
const toName = (key: string): string => {
  const seeds = [0x811c9dc5, 0x9747b28c, 0x2f0b4a27, 0x5bd1e995];
  const hash = (seed: number): string => {
    let value = seed;
    for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  };
  return seeds.map(hash).join("");
};

const parse = (text: string, name: string): StoredOutline | undefined => {
  const file = parseFormat(text, outlineFormat);
  if (file?.name !== name) return undefined;
  const { stamp, digest, madeAtMs, outline } = file;
  if (typeof stamp !== "string" || typeof digest !== "string" || typeof madeAtMs !== "number")
    return undefined;
  return isOutline(outline) ? { stamp, digest, madeAtMs, outline } : undefined;
};

/** Opens the cache in `<folder>/outlines`, which the first write creates. */
export const openOutlineStore = (folder: string): OutlineStore => {
  const outlines = join(folder, "outlines");

  return {
    read: async (key) => {
      const name = toName(key);
      const text = await readFile(join(outlines, `${name}.json`), "utf8").catch(() => undefined);
      return text === undefined ? undefined : parse(text, name);
    },
    write: async (key, entry) => {
      const name = toName(key);
      const draft = join(outlines, `${name}.${process.pid}.draft`);
      try {
        await mkdir(outlines, { recursive: true, mode: 0o700 });
        await writeFile(draft, JSON.stringify({ ...outlineFormat, name, ...entry }), { mode: 0o600 });
        await rename(draft, join(outlines, `${name}.json`));
        // Every configuration and version has its own file.
        await removeOldest(outlines, await readdir(outlines), { max: maxOutlines, maxAgeMs: monthMs });
      } catch {
        // Without the cache, the next start renders it again.
      }
    },
  };
};

/** Changes whenever a JSON file of the folder is written, added or removed, without reading them; empty if there is none. */
export const stampFolder = async (folder: string): Promise<string> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  const stamps = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found === undefined ? "" : `${name} ${found.mtimeMs} ${found.size}`;
  });
  return (await Promise.all(stamps)).join("\n");
};

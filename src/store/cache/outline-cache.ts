// The cached outline of a catalog, and a stamp that tells whether the listings behind it have changed.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isFields, type OutlineStore, type StoredOutline } from "../../contracts/index.js";
import { parseFormat, removeOldest, writeFileAtomically } from "../file-io.js";

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

const toName = (key: string): string => hash("sha256", key).slice(0, 32);

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
      try {
        await mkdir(outlines, { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ ...outlineFormat, name, ...entry });
        await writeFileAtomically(join(outlines, `${name}.json`), text);
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

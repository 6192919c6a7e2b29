// Learned shapes as one JSON file for each tool: readable, and shared by every process of the same person.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Shape, ShapeKey, ShapeStore } from "../../contracts/index.js";
import { withLock } from "../with-lock.js";
import { writeFileAtomically } from "../write-file-atomically.js";
import { parseShapeFile, renderShapeFile } from "./shape-file.js";

interface ShapeStoreOptions {
  /** Shapes are kept in `<folder>/shapes`; it is made on the first write. */
  readonly folder: string;
  /** What two processes learned, together. */
  readonly joinShapes: (left: Shape, right: Shape) => Shape;
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Readable, safe on any file system, and different for different names. */
const toSlug = (name: string): string => {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return `${words}.${shortHash(name)}`;
};

const toFileName = (tool: string, fingerprint: string): string =>
  `${toSlug(tool)}.${shortHash(fingerprint)}.json`;

/** Opens the store. Nothing is read before it is asked for. */
export const openShapeStore = ({ folder, joinShapes }: ShapeStoreOptions): ShapeStore => {
  const folderOf = (server: string): string => join(folder, "shapes", toSlug(server));
  const pathOf = ({ server, tool, fingerprint }: ShapeKey): string =>
    join(folderOf(server), toFileName(tool, fingerprint));

  const read = async (key: ShapeKey): Promise<Shape | undefined> => {
    const text = await readFile(pathOf(key), "utf8").catch(() => undefined);
    return text === undefined ? undefined : parseShapeFile(text, key);
  };

  const merge = async (key: ShapeKey, learned: Shape): Promise<Shape> => {
    const path = pathOf(key);
    try {
      await mkdir(folderOf(key.server), { recursive: true, mode: 0o700 });
      return await withLock(join(folder, "shapes", "locks"), async () => {
        const kept = await read(key);
        const merged = kept === undefined ? learned : joinShapes(kept, learned);
        await writeFileAtomically(path, renderShapeFile(key, merged));
        return merged;
      });
    } catch {
      // A shape that cannot be kept is learned again.
      return learned;
    }
  };

  const keepOnly: ShapeStore["keepOnly"] = async (server, tools) => {
    const kept = new Set(tools.map(({ name, fingerprint }) => toFileName(name, fingerprint)));
    const names = await readdir(folderOf(server)).catch(() => []);
    const stale = names.filter((name) => name.endsWith(".json") && !kept.has(name));
    await Promise.all(
      stale.map((name) => rm(join(folderOf(server), name), { force: true }).catch(() => undefined)),
    );
  };

  return { read, merge, keepOnly };
};

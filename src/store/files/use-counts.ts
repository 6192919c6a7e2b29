// How often each tool was called, in one small file that every process of the same person adds to.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UseCounts } from "../../contracts/index.js";
import { withLock } from "../with-lock.js";
import { writeFileAtomically } from "../write-file-atomically.js";

const format = "mcp-coordinator/uses";
const version = 1;
/** Tools that are kept; the least used are forgotten first. */
const mostTools = 2000;

const parse = (text: string | undefined): Map<string, number> => {
  try {
    const file = JSON.parse(text ?? "") as { format?: unknown; version?: unknown; uses?: unknown };
    const { uses } = file;
    if (file.format !== format || file.version !== version || typeof uses !== "object" || uses === null)
      return new Map();
    const counts = Object.entries(uses).filter(
      (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && entry[1] > 0,
    );
    return new Map(counts);
  } catch {
    return new Map();
  }
};

/** Opens `<folder>/uses.json`; it is made on the first write. */
export const openUseCounts = (folder: string): UseCounts => {
  const path = join(folder, "uses.json");
  const read = async (): Promise<Map<string, number>> =>
    parse(await readFile(path, "utf8").catch(() => undefined));
  return {
    read,
    add: async (more) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await withLock(`${path}.locks`, async () => {
          const counts = await read();
          for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
          const kept = [...counts].sort((left, right) => right[1] - left[1]).slice(0, mostTools);
          const uses = Object.fromEntries(kept);
          await writeFileAtomically(path, `${JSON.stringify({ format, version, uses }, undefined, 1)}\n`);
        });
      } catch {
        // A count that cannot be kept only changes an order.
      }
    },
  };
};

// How often each tool was called: one small file that all processes of a user add to.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UseCounts } from "../../contracts/index.js";
import { writeFileAtomically } from "../file-io.js";
import { isFields, parseFormat } from "../json-file.js";
import { withLock } from "../with-lock.js";

const usesFormat = { format: "mcp-coordinator/uses", version: 1 };
/** The least used tools are dropped first. */
const maxTools = 2000;

const parse = (text: string | undefined): Map<string, number> => {
  const uses = parseFormat(text, usesFormat)?.uses;
  const counts = Object.entries(isFields(uses) ? uses : {}).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) > 0,
  );
  return new Map(counts);
};

/** Opens `<folder>/uses.json`, which the first write creates. */
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
          const most = [...counts].sort((left, right) => right[1] - left[1]).slice(0, maxTools);
          const uses = Object.fromEntries(most);
          await writeFileAtomically(path, `${JSON.stringify({ ...usesFormat, uses }, undefined, 1)}\n`);
        });
      } catch {
        // A lost count only affects the order of tools.
      }
    },
  };
};

// Generates the token table from the ranks that gpt-tokenizer publishes. It needs a tenth of their memory.
import { existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTable } from "../src/output/tokens/o200k.mjs";

const maker = fileURLToPath(new URL("../src/output/tokens/o200k.mjs", import.meta.url));

/** Writes `src/output/tokens/o200k.table` unless it is newer than this script. */
export const makeTokenTable = async (folder) => {
  const home = join(folder, "src", "output", "tokens");
  const target = join(home, "o200k.table");
  if (!existsSync(home)) return;
  if (existsSync(target) && statSync(target).mtimeMs >= statSync(maker).mtimeMs) return;
  const { default: ranks } = await import("gpt-tokenizer/bpeRanks/o200k_base");
  const tokens = Array.from(ranks, (token) =>
    typeof token === "string" ? Buffer.from(token, "utf8") : Uint8Array.from(token ?? []),
  );
  const draft = `${target}.${process.pid}.draft`;
  writeFileSync(draft, writeTable(tokens));
  renameSync(draft, target);
};

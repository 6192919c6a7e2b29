// Reads and writes the trust records: one file in the user's own state folder.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CoordinatorError, type TrustRecord } from "../../contracts/index.js";
import { isObject } from "../describe-value.js";

export const trustFile = (personalFolder: string): string => join(personalFolder, "trust.json");

const isRecord = (value: unknown): value is TrustRecord =>
  isObject(value) &&
  ["kind", "file", "name", "fingerprint", "written"].every((field) => typeof value[field] === "string");

/** Reads the records. An invalid file trusts nothing and is reported to `onWarning`. */
export const readTrust = (
  personalFolder: string,
  onWarning: (text: string) => void = () => {},
): readonly TrustRecord[] => {
  const path = trustFile(personalFolder);
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const records = isObject(value) ? value.trusted : undefined;
    if (!Array.isArray(records) || !records.every(isRecord)) throw new SyntaxError("no records");
    return records;
  } catch (thrown) {
    if (isObject(thrown) && thrown.code === "ENOENT") return [];
    onWarning(
      `Nothing is trusted: "${path}" cannot be read, wanted the file that "mcp-coordinator trust" writes`,
    );
    return [];
  }
};

/** Writes all records atomically, readable by their owner only. */
export const writeTrust = (personalFolder: string, trusted: readonly TrustRecord[]): void => {
  const path = trustFile(personalFolder);
  const draft = `${path}.${process.pid}.draft`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify({ trusted }, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    const message = `Cannot write "${path}": the state folder is not writable, wanted one of your own`;
    throw new CoordinatorError("STORE_FAILED", message, { cause });
  }
};

// A snapshot of the embedded Python's memory, created once per version: with it a start takes a fifth of the time.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmbeddedEngine } from "./find-engine.js";

const makerFile = fileURLToPath(new URL("../../guests/python-lite/make-snapshot.mjs", import.meta.url));
const loaderFile = fileURLToPath(new URL("../../guests/python-lite/load-interpreter.mjs", import.meta.url));

export interface SnapshotOptions {
  readonly engine: EmbeddedEngine;
  readonly worldFolder: string;
  readonly guestFile: string;
  /** @default the user's cache folder */
  readonly cacheFolder?: string | undefined;
}

export interface Snapshot {
  readonly file: string;
  readonly exists: () => boolean;
  /** Creates it if missing. A failure only means that starts stay slow. */
  readonly make: () => Promise<void>;
}

export const openSnapshot = (options: SnapshotOptions): Snapshot => {
  const { engine, worldFolder, guestFile, cacheFolder = defaultCacheFolder() } = options;
  const file = join(cacheFolder, "python-lite", `${toKey(engine, worldFolder, guestFile)}.snapshot`);
  let making: Promise<void> | undefined;
  return {
    file,
    exists: () => isOwn(file),
    make: () => {
      making ??= new Promise((resolve) => {
        try {
          mkdirSync(join(cacheFolder, "python-lite"), { recursive: true, mode: 0o700 });
        } catch {
          resolve();
          return;
        }
        const words = ["--no-warnings", makerFile, engine.folder, worldFolder, guestFile, file];
        const child = execFile(process.execPath, words, { env: {}, timeout: 60_000 }, () => resolve());
        // For later starts only: the host may exit without it.
        child.unref();
      });
      return making;
    },
  };
};

const defaultCacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator");

/** Anything that goes into a snapshot changes its name. */
const toKey = ({ version }: EmbeddedEngine, worldFolder: string, guestFile: string): string => {
  const hash = createHash("sha256").update(`${version} ${process.versions.v8} ${process.arch}`);
  const world = readdirSync(worldFolder).filter((name) => name.endsWith(".py"));
  for (const path of [...world.sort().map((name) => join(worldFolder, name)), guestFile, loaderFile])
    hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 24);
};

/** Never load memory that somebody else may have written. */
const isOwn = (file: string): boolean => {
  if (!existsSync(file)) return false;
  const { uid, mode } = statSync(file);
  return process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0);
};

// A snapshot of the embedded Python's memory, created once per version: with it a start takes a fifth of the time.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface SnapshotOptions {
  /** The folder and version of the engine's package. */
  readonly folder: string;
  readonly version: string;
  readonly guestFolder: string;
  readonly worldFolder: string;
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
  const { folder, guestFolder, worldFolder, cacheFolder = defaultCacheFolder() } = options;
  const file = join(cacheFolder, "python-lite", `${toKey(options)}.snapshot`);
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
        const script = join(guestFolder, "make-snapshot.mjs");
        const words = ["--no-warnings", script, folder, worldFolder, join(guestFolder, "guest.py"), file];
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
const toKey = ({ version, guestFolder, worldFolder }: SnapshotOptions): string => {
  const hash = createHash("sha256").update(`${version} ${process.versions.v8} ${process.arch}`);
  const world = readdirSync(worldFolder).filter((name) => name.endsWith(".py"));
  const parts = ["guest.py", "load-interpreter.mjs"].map((name) => join(guestFolder, name));
  for (const path of [...world.sort().map((name) => join(worldFolder, name)), ...parts])
    hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 24);
};

/** Never load memory that somebody else may have written. */
const isOwn = (file: string): boolean => {
  if (!existsSync(file)) return false;
  const { uid, mode } = statSync(file);
  return process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0);
};

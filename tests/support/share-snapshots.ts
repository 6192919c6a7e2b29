// What `python-lite` prepares at its first start takes seconds and is the same everywhere: cache folders of tests share it.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const shared = join(process.env.XDG_STATE_HOME ?? "", "shared-snapshots");

export const shareSnapshots = (cacheFolder: string): void => {
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  mkdirSync(cacheFolder, { recursive: true });
  symlinkSync(shared, join(cacheFolder, "python-lite"), "junction");
};

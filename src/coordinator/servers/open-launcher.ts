// Opens the launcher that starts servers from packages.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FetchProgress, Settings } from "../../contracts/index.js";
import { Launcher } from "../../upstream/index.js";

/** The same file for the source, the compiled modules and the bundle. */
const fetcherFile = fileURLToPath(new URL("../../../dist/bundle/fetch-child.js", import.meta.url));

export const openLauncher = (
  { cacheFolder, launch }: Settings,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  onProgress?: (progress: FetchProgress) => void,
): Launcher =>
  new Launcher({
    folder: join(cacheFolder, "packages"),
    fetcher: fetcherFile,
    mode: launch,
    environment,
    onProgress,
  });

// Where each operating system wants things that can be made again.
import { isAbsolute, join } from "node:path";

export interface CacheFolderFacts {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const defaultCacheFolder = ({ platform, homeFolder, environment }: CacheFolderFacts): string => {
  const base = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_CACHE_HOME;
  // A relative base is to be ignored, says the XDG specification: it would depend on the working folder.
  if (base !== undefined && isAbsolute(base)) return join(base, "mcp-coordinator");
  if (platform === "win32") return join(homeFolder, "AppData", "Local", "mcp-coordinator");
  if (platform === "darwin") return join(homeFolder, "Library", "Caches", "mcp-coordinator");
  return join(homeFolder, ".cache", "mcp-coordinator");
};

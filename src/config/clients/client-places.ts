// The folders that hold clients' configuration files, per operating system.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientFolders, ClientPlace, ClientScope } from "./client.js";

/** The settings folder of desktop applications. */
export const applicationFolder = ({ platform, homeFolder, environment }: ClientFolders): string => {
  if (platform === "win32") return environment.APPDATA || join(homeFolder, "AppData", "Roaming");
  if (platform === "darwin") return join(homeFolder, "Library", "Application Support");
  return environment.XDG_CONFIG_HOME || join(homeFolder, ".config");
};

/** The settings folder of terminal programs, also on macOS. */
export const configFolder = ({ platform, homeFolder, environment }: ClientFolders): string =>
  (platform !== "win32" && environment.XDG_CONFIG_HOME) || join(homeFolder, ".config");

/** The user folders of VS Code and its variants. */
export const codeFolders = (folders: ClientFolders): readonly string[] =>
  ["Code", "Code - Insiders", "VSCodium"].map((name) => join(applicationFolder(folders), name, "User"));

export const filesOf = (folder: string, ending: RegExp): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => ending.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
};

/** A JSON file that holds its servers under one key. */
export const jsonPlace = (
  scope: ClientScope,
  path: string,
  keys: readonly string[] = ["mcpServers"],
): ClientPlace => ({ scope, path, keys, format: "json" });

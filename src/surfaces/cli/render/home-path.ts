// Shortens paths: `~` for the home folder.
import { homedir } from "node:os";
import { sep } from "node:path";

/** Abbreviates the home folder. */
export const shortenHome = (path: string): string => {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
};

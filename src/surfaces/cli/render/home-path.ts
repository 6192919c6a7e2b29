// Paths as people know them: `~` for their home folder.
import { homedir } from "node:os";
import { sep } from "node:path";

/** The name of the home folder says nothing to the person whose home it is. */
export const shortenHome = (path: string): string => {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
};

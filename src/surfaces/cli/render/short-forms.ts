// Short forms for people: dates, paths, durations, sizes.
import { homedir } from "node:os";
import { sep } from "node:path";

/** Date and minute, in local time. */
export const renderTime = (moment: string): string => new Date(moment).toLocaleString("sv").slice(0, 16);

/** Abbreviates the home folder. */
export const shortenHome = (path: string): string => {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
};

/** A duration, short. */
export const renderDuration = (durationMs: number): string => {
  if (durationMs >= 1000) return `${(durationMs / 1000).toFixed(2)} s`;
  return `${durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0)} ms`;
};

/** A size, short. */
export const renderBytes = (bytes: number): string => {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (bytes >= 1024 * 1024) return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${bytes} B`;
};

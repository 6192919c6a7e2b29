// The time zone of this machine, for a process that cannot look it up itself.
import { readlinkSync } from "node:fs";

/** A name like "Europe/Berlin"; undefined if unknown. Cheaper than asking Intl, which loads all its data. */
export const readTimeZone = (): string | undefined => {
  if (process.env.TZ) return process.env.TZ;
  try {
    // trusted: a link that the administrator set
    return /zoneinfo(?:\.default)?\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
  } catch {
    return undefined;
  }
};

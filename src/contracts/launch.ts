// How servers that come out of packages are started, and how far their installation is.

/** `direct` starts a package's program by itself where that is certain to be the same; `as written` starts the command. */
export type LaunchMode = "direct" | "as written";

/** A version of a package, as its registry names it. */
export interface PackageVersion {
  readonly name: string;
  readonly version: string;
  /** The registry's hash of its archive, where the installer tells one. */
  readonly integrity?: string | undefined;
}

/** How a server that a package runner starts is really started. */
export interface LaunchSummary {
  /** `npx`, `uvx`, `docker run` and others. */
  readonly runner: string;
  readonly mode: LaunchMode;
  /** Why the command is started as it is written. */
  readonly reason?: string | undefined;
  /** Nothing has to be installed before its first start that we know of. */
  readonly isFetched: boolean;
  /** Its versions are exact: a name, a range or a tag means another version later. */
  readonly isPinned: boolean;
  readonly package?:
    | (PackageVersion & {
        /** What it was before the last update. */
        readonly before?: (PackageVersion & { readonly replacedAtMs: number }) | undefined;
      })
    | undefined;
  /** The Node that starts it: the machine's, or our own where the machine's does not fit. */
  readonly node?: { readonly path: string; readonly version: string; readonly isOwn: boolean } | undefined;
}

/** How far the packages are that were asked for since there was last nothing to do. */
export interface FetchProgress {
  readonly done: number;
  readonly total: number;
  /** The server whose package is being installed now. */
  readonly server?: string | undefined;
}

/** An update is news for so long. */
const newsMs = 7 * 24 * 60 * 60 * 1000;

/** The last update of a server's package, for people. Undefined where nothing changed lately. */
export const describeUpdate = (server: string, launch: LaunchSummary | undefined): string | undefined => {
  const found = launch?.package;
  if (found?.before === undefined || Date.now() - found.before.replacedAtMs > newsMs) return undefined;
  const day = new Date(found.before.replacedAtMs).toISOString().slice(0, 10);
  return `"${server}" was updated on ${day}: ${found.name} ${found.version}, before ${found.before.version}. Pin the version to decide yourself`;
};

/** Name, version and the beginning of the hash, for people. */
export const describePackage = ({ name, version, integrity }: PackageVersion): string =>
  `${name} ${version}${integrity === undefined ? "" : ` (${integrity.slice(0, 19)}…)`}`;

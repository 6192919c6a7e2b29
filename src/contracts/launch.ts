// How servers from packages are started, and the progress of their installation.

/** `direct` starts a package's program itself if that is certain to be the same; `as written` starts the command. */
export type LaunchMode = "direct" | "as written";

/** A package version, as its registry names it. */
export interface PackageVersion {
  readonly name: string;
  readonly version: string;
  /** The registry's hash of its archive, if the installer reports one. */
  readonly integrity?: string | undefined;
}

/** How a server is actually started if a package runner starts it. */
export interface LaunchSummary {
  /** `npx`, `uvx`, `docker run` and others. */
  readonly runner: string;
  readonly mode: LaunchMode;
  /** Why the command is started as written. */
  readonly reason?: string | undefined;
  /** As far as we know, nothing has to be installed before its first start. */
  readonly isFetched: boolean;
  /** Its versions are exact: a name, a range or a tag may mean another version later. */
  readonly isPinned: boolean;
  readonly package?:
    | (PackageVersion & {
        /** The versions before the last update. */
        readonly before?: (PackageVersion & { readonly replacedAtMs: number }) | undefined;
      })
    | undefined;
  /** The Node that starts it: the machine's, or ours if the machine's does not fit. */
  readonly node?: { readonly path: string; readonly version: string; readonly isOwn: boolean } | undefined;
}

/** Installation progress since the installer was last idle. */
export interface FetchProgress {
  readonly done: number;
  readonly total: number;
  /** The server whose package is being installed. */
  readonly server?: string | undefined;
}

/** How long an update counts as recent. */
const newsMs = 7 * 24 * 60 * 60 * 1000;

/** The last update of a server's package, for people. Undefined if nothing changed recently. */
export const describeUpdate = (server: string, launch: LaunchSummary | undefined): string | undefined => {
  const found = launch?.package;
  if (found?.before === undefined || Date.now() - found.before.replacedAtMs > newsMs) return undefined;
  const day = new Date(found.before.replacedAtMs).toISOString().slice(0, 10);
  return `"${server}" was updated on ${day}: ${found.name} ${found.version}, before ${found.before.version}. Pin the version to decide yourself`;
};

/** Name, version and the beginning of the hash, for people. */
export const describePackage = ({ name, version, integrity }: PackageVersion): string =>
  `${name} ${version}${integrity === undefined ? "" : ` (${integrity.slice(0, 19)}…)`}`;

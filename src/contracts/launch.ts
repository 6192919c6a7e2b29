// How servers from packages are started, the progress of their installation, and what a person must trust before anything starts.

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

/** One fact that decides what a server runs or where it sends data, as shown to a person. */
export interface LaunchFact {
  /** "command", "address", "folder", "envFile", the name of a variable or header, "file", or "note". */
  readonly label: string;
  /** Expanded with the folder's own files. A reference to the person's environment stays a reference, and a secret is not shown. */
  readonly value: string;
  /** It can make the same command run different code. */
  readonly isSteering: boolean;
}

/** Something in a file that others may write. It is not used until a person has reviewed it. */
export interface UntrustedItem {
  /** A server's command or address, settings, the folder's `.env` for a person's own servers, or the state that comes with it. */
  readonly kind: "server" | "settings" | "environment" | "state";
  /** The file that contains it. */
  readonly file: string;
  /** The server's name, for servers. */
  readonly name: string;
  /** What would be started or used, as written. */
  readonly written: string;
  /** What was trusted before, if it has changed since. */
  readonly before?: string | undefined;
  /** Everything that decides what runs, for servers and for settings that offer some. */
  readonly facts?: readonly LaunchFact[] | undefined;
  readonly fingerprint: string;
}

/** One trusted item, exactly as it was at that time. */
export interface TrustRecord {
  readonly kind: UntrustedItem["kind"];
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  /** The entry as the person saw it. */
  readonly written: string;
  readonly trustedAt: string;
  /** Trusted because the caller named the file. */
  readonly isNamed?: boolean | undefined;
}

/** Set by the person who starts us where nobody can be asked, such as a build or a container. */
export const isTrustGiven = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:true|1)$/i.test(environment.MCP_COORDINATOR_TRUST?.trim() ?? "");

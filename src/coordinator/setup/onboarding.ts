// The onboarding verbs (init, eject, connect, trust, entries) with their requests and results. Each is loaded on first use.
import type { ClientScope, FileFormat } from "../../config/clients/index.js";
import type { CoordinatorError, LaunchFact, UntrustedItem } from "../../contracts/index.js";

import { checkRequest, type TextField } from "../host/check-request.js";

/** Where files are searched. Tests and other hosts pass their own. */
export interface OnboardingPlaces {
  /** @default process.cwd() */
  readonly workingFolder?: string | undefined;
  /** @default the person's */
  readonly homeFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** A server of a client. */
export interface FoundServer {
  readonly client: string;
  readonly title: string;
  readonly scope: ClientScope;
  /** The client's file. */
  readonly path: string;
  /** The folder that a `local` scope is for. */
  readonly project?: string | undefined;
  readonly server: string;
  /** The command line or address, without secrets. */
  readonly target: string;
  readonly isEnabled: boolean;
  /** Everything that decides what is run, for a server that came with the folder. */
  readonly facts?: readonly LaunchFact[] | undefined;
  /** What changes when it is moved. */
  readonly notes: readonly string[];
  /** Why it stays with the client. */
  readonly obstacle?: string | undefined;
}

export interface MovedClientServer extends FoundServer {
  /** The configuration that it is moved to, and its name there. */
  readonly ownFile: string;
  readonly ownName: string;
}

/** The change of one file: a unified diff with masked secrets. */
export interface FileDifference {
  readonly path: string;
  readonly diff: string;
}

export interface InitRequest extends OnboardingPlaces {
  /** Only these clients. @default all that are found */
  readonly clients?: readonly string[] | undefined;
  /** Names of servers that stay where they are. */
  readonly except?: readonly string[] | undefined;
  /** Chooses among the servers that can be moved. */
  readonly choose?: ((servers: readonly FoundServer[]) => readonly FoundServer[]) | undefined;
  /** Only report what would be done. */
  readonly isDryRun?: boolean | undefined;
}

export interface InitResult {
  readonly found: readonly FoundServer[];
  readonly moved: readonly MovedClientServer[];
  readonly changes: readonly FileDifference[];
  /** The starter configuration, if no client has a server. */
  readonly starter?: string | undefined;
  /** The entry to paste into a client. */
  readonly snippet?: string | undefined;
  /** Messages for the person. */
  readonly notes: readonly string[];
  /** How to make each changed client reload its file. */
  readonly nextSteps: readonly string[];
  /** Files that could not be read or changed. */
  readonly problems: readonly CoordinatorError[];
  readonly isWritten: boolean;
}

export interface EjectRequest extends OnboardingPlaces {
  readonly clients?: readonly string[] | undefined;
  readonly isDryRun?: boolean | undefined;
}

export interface EjectedFile extends FileDifference {
  readonly client: string;
  /** `restored`: byte for byte. `merged`: the file was edited since, and only our change was undone. */
  readonly outcome: "restored" | "merged" | "removed" | "unchanged";
  readonly notes: readonly string[];
}

export interface EjectResult {
  readonly files: readonly EjectedFile[];
  /** Our own files that lose the returned servers. */
  readonly changes: readonly FileDifference[];
  readonly problems: readonly CoordinatorError[];
  readonly isWritten: boolean;
}

export interface ConnectRequest extends OnboardingPlaces {
  readonly client: string;
  /** @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** The configuration that the entry names. @default the one that `init` writes */
  readonly config?: string | undefined;
  /** Write it to the client's file, with a backup for `eject`. */
  readonly isWritten?: boolean | undefined;
}

export interface ConnectResult {
  readonly client: string;
  readonly title: string;
  readonly path: string;
  readonly format: FileFormat;
  /** The configuration that the entry names. */
  readonly config: string;
  /** The text for the file, in the client's own format. */
  readonly snippet: string;
  readonly diff?: string | undefined;
  readonly nextStep: string;
  /** Parts of that configuration that are not used until a person trusts them. */
  readonly untrusted: readonly UntrustedItem[];
  readonly isWritten: boolean;
}

export interface AddEntryRequest extends OnboardingPlaces {
  /** The server's name. */
  readonly name: string;
  /** In the usual format: `command` and `args`, or `url`. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The user's own configuration or that of the working folder. @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** Another file instead. */
  readonly config?: string | undefined;
}

export interface RemoveEntryRequest extends OnboardingPlaces {
  readonly name: string;
  /** @default the working folder's configuration, otherwise the user's own */
  readonly config?: string | undefined;
}

export interface EntryResult {
  readonly name: string;
  /** The file that was changed. */
  readonly path: string;
}

export interface KnownClient {
  readonly name: string;
  readonly title: string;
  readonly format: FileFormat;
  /** Its files that exist. */
  readonly files: readonly string[];
  /** Where its file would be. */
  readonly path: string;
}

export interface TrustRequest extends OnboardingPlaces {
  /** Files or folders to use instead of those of the working folder. */
  readonly config?: string | readonly string[] | undefined;
  /** Revoke trust in these files or this folder. */
  readonly isForgotten?: boolean | undefined;
  /** Only list what waits for trust. */
  readonly isDryRun?: boolean | undefined;
  /** Include disabled servers. */
  readonly withDisabled?: boolean | undefined;
  /** Trust only these items, as the person saw them. Later changes wait for the next review. */
  readonly shown?: readonly UntrustedItem[] | undefined;
}

export interface TrustResult {
  /** Items that were waiting. */
  readonly items: readonly UntrustedItem[];
  /** Items of this folder that were trusted before. */
  readonly forgotten: number;
  readonly isWritten: boolean;
}

const checked = <Request>(request: Request, required: readonly TextField[] = []): Request => {
  checkRequest(request, required);
  return request;
};

/** Finds the servers of the clients that a person uses and takes them over: one entry instead of many. */
export const init = async (request: InitRequest = {}): Promise<InitResult> =>
  (await import("./init.js")).init(checked(request));

/** Returns every client's servers, byte for byte if its file is as `init` left it. */
export const eject = async (request: EjectRequest = {}): Promise<EjectResult> =>
  (await import("./eject.js")).eject(checked(request));

/** Renders the entry for one client in its own format, and writes it to the client's file on request. */
export const connect = async (request: ConnectRequest): Promise<ConnectResult> =>
  (await import("./connect.js")).connect(checked(request, ["client"]));

/** Adds a server to one of our configuration files. */
export const addEntry = async (request: AddEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).addEntry(checked(request, ["name"]));

/** Removes a server from one of our configuration files. */
export const removeEntry = async (request: RemoveEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).removeEntry(checked(request, ["name"]));

/** Lists the known clients and which of their files exist. */
export const listClients = async (request: OnboardingPlaces = {}): Promise<readonly KnownClient[]> =>
  (await import("./connect.js")).listClients(checked(request));

/** Trusts what came with the working folder, or the contents of the named files, as they are now. */
export const trust = async (request: TrustRequest = {}): Promise<TrustResult> =>
  (await import("./trust.js")).trust(checked(request));

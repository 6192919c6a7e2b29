// Taking over the client that a person uses, and giving it back: requests, results, and the verbs, loaded when they are called.
import type { ClientScope, FileFormat } from "../../clients/index.js";
import type { CoordinatorError, LaunchFact, UntrustedItem } from "../../contracts/index.js";

import { checkRequest, type TextField } from "../host/check-request.js";

/** Where files are looked for; tests and other hosts give their own. */
export interface OnboardingPlaces {
  /** @default process.cwd() */
  readonly workingFolder?: string | undefined;
  /** @default the person's */
  readonly homeFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** A server that a client has. */
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
  /** What changes for it when it is moved. */
  readonly notes: readonly string[];
  /** Why it stays with the client. */
  readonly obstacle?: string | undefined;
}

export interface MovedClientServer extends FoundServer {
  /** Our configuration that it is moved to, and its name there. */
  readonly ownFile: string;
  readonly ownName: string;
}

/** What happens to one file: a unified diff in which secrets are masked. */
export interface FileDifference {
  readonly path: string;
  readonly diff: string;
}

export interface InitRequest extends OnboardingPlaces {
  /** Only these clients. @default all that are found */
  readonly clients?: readonly string[] | undefined;
  /** Servers that stay where they are, by their names. */
  readonly except?: readonly string[] | undefined;
  /** Of the servers that can be moved, those that are. */
  readonly choose?: ((servers: readonly FoundServer[]) => readonly FoundServer[]) | undefined;
  /** Say what would be done, and do nothing. */
  readonly isDryRun?: boolean | undefined;
}

export interface InitResult {
  readonly found: readonly FoundServer[];
  readonly moved: readonly MovedClientServer[];
  readonly changes: readonly FileDifference[];
  /** A configuration to begin with, where no client has a server. */
  readonly starter?: string | undefined;
  /** The entry for a client, to be put in by hand. */
  readonly snippet?: string | undefined;
  /** What a person should know. */
  readonly notes: readonly string[];
  /** What makes each changed client read its file again. */
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
  /** `restored`: byte for byte; `merged`: it was changed since, and only our change was taken back. */
  readonly outcome: "restored" | "merged" | "removed" | "unchanged";
  readonly notes: readonly string[];
}

export interface EjectResult {
  readonly files: readonly EjectedFile[];
  /** Our own files that lose what went back. */
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
  /** Put it into the client's file, with a backup for `eject`. */
  readonly isWritten?: boolean | undefined;
}

export interface ConnectResult {
  readonly client: string;
  readonly title: string;
  readonly path: string;
  readonly format: FileFormat;
  /** The configuration that the entry names. */
  readonly config: string;
  /** What goes into the file, in the client's own form. */
  readonly snippet: string;
  readonly diff?: string | undefined;
  readonly nextStep: string;
  /** What of the configuration that the entry names is not used before a person has trusted it. */
  readonly untrusted: readonly UntrustedItem[];
  readonly isWritten: boolean;
}

export interface AddEntryRequest extends OnboardingPlaces {
  /** The server's name. */
  readonly name: string;
  /** As clients write it: `command` and `args`, or `url`. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The person's own configuration, or that of the working folder. @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** Another file in place of those. */
  readonly config?: string | undefined;
}

export interface RemoveEntryRequest extends OnboardingPlaces {
  readonly name: string;
  /** @default the working folder's configuration, else the person's own */
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
  /** Its files that are there. */
  readonly files: readonly string[];
  /** Where its file would be. */
  readonly path: string;
}

export interface TrustRequest extends OnboardingPlaces {
  /** Files or folders in place of what the working folder has. */
  readonly config?: string | readonly string[] | undefined;
  /** Forget what was trusted of these files, or in this folder. */
  readonly isForgotten?: boolean | undefined;
  /** Say what waits, and trust nothing. */
  readonly isDryRun?: boolean | undefined;
  /** Servers that are switched off, too. */
  readonly withDisabled?: boolean | undefined;
  /** Only what a person was shown: what has changed since waits for the next look. */
  readonly shown?: readonly UntrustedItem[] | undefined;
}

export interface TrustResult {
  /** What was waiting. */
  readonly items: readonly UntrustedItem[];
  /** Things of this folder that were trusted before. */
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

/** Gives every client its servers back, byte for byte where its file is as `init` left it. */
export const eject = async (request: EjectRequest = {}): Promise<EjectResult> =>
  (await import("./eject.js")).eject(checked(request));

/** The entry for one client, in its own form; written into its file when asked to. */
export const connect = async (request: ConnectRequest): Promise<ConnectResult> =>
  (await import("./connect.js")).connect(checked(request, ["client"]));

/** Puts a server into a configuration file of ours. */
export const addEntry = async (request: AddEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).addEntry(checked(request, ["name"]));

/** Takes a server out of a configuration file of ours. */
export const removeEntry = async (request: RemoveEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).removeEntry(checked(request, ["name"]));

/** The clients that are known, and which of their files are there. */
export const listClients = async (request: OnboardingPlaces = {}): Promise<readonly KnownClient[]> =>
  (await import("./connect.js")).listClients(checked(request));

/** Trusts what came with the working folder, or what the files have that are named, as it stands now. */
export const trust = async (request: TrustRequest = {}): Promise<TrustResult> =>
  (await import("./trust.js")).trust(checked(request));

// What is known of a client: where its files are, under which key its servers stand, and how it writes an entry.

/** `user`: everywhere; `project`: in a folder's own file; `local`: for one folder, in the person's file. */
export type ClientScope = "user" | "project" | "local";

export type FileFormat = "json" | "toml" | "yaml";

export interface ClientFolders {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ClientPlace {
  readonly scope: ClientScope;
  readonly path: string;
  /** The way to the servers; "*" stands for every key there is. */
  readonly keys: readonly string[];
  readonly format: FileFormat;
  /** The servers are a list whose items have a `name`. */
  readonly isList?: boolean | undefined;
  /** A key below, where newer files have their servers. */
  readonly newerKey?: string | undefined;
}

/** A server as our configuration holds it. */
export interface OwnEntry {
  readonly type?: "http" | "sse" | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly envFile?: string | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly description?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly timeouts?:
    | { readonly connectTimeoutMs?: number | undefined; readonly callTimeoutMs?: number | undefined }
    | undefined;
}

export interface Client {
  /** As it is named on the command line. */
  readonly name: string;
  readonly title: string;
  readonly places: (folders: ClientFolders) => readonly ClientPlace[];
  /** An entry of ours as this client writes it. */
  readonly toEntry: (entry: OwnEntry, name: string) => Readonly<Record<string, unknown>>;
  /** `$NAME` is a variable here. */
  readonly hasBareVariables?: boolean | undefined;
  /** What `timeout` counts here, as its documentation says; absent where it says nothing or has changed: then the size tells. */
  readonly timeoutUnit?: "seconds" | "milliseconds" | undefined;
  /** `timeout` is about starting a server here, not about a call. */
  readonly isTimeoutOfStart?: boolean | undefined;
  /** An address without a type is the older transport here. */
  readonly isSseByDefault?: boolean | undefined;
  /** What makes the client read its file again. */
  readonly afterwards: string;
}

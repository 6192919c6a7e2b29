// The library as resources and prompts, with completion of names.

/** A file of the library that is listed. Files of tools are found through templates. */
export interface LibraryResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourcePage {
  readonly resources: readonly LibraryResource[];
  /** Requests the next page. Absent on the last. */
  readonly nextCursor?: string | undefined;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface PromptSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface PromptText {
  readonly description: string;
  readonly text: string;
}

/** The kinds of names. `argument` is a tool's argument. */
export type NameKind =
  | "server"
  | "tool"
  | "argument"
  | "skill"
  | "run"
  | "kept"
  | "workspace"
  | "profile"
  | "caller";

export interface CompletionRequest {
  /** A template of the library, a prompt, or names on a command line. */
  readonly of: { readonly template: string } | { readonly prompt: string } | { readonly kind: NameKind };
  /** The argument of the template or prompt. */
  readonly argument?: string | undefined;
  /** The text typed so far. */
  readonly value: string;
  /** Arguments already known, e.g. the server whose tools are completed. */
  readonly known?: Readonly<Record<string, string>> | undefined;
}

export interface Completion {
  readonly values: readonly string[];
  /** The number of matches, including those left out. */
  readonly total: number;
}

export interface LibraryVerbs {
  /** Lists the library's files, a page at a time. Starts no server. */
  readonly listResources: (options?: { readonly cursor?: string | undefined }) => Promise<ResourcePage>;
  /** Lists the address templates of tools' files. */
  readonly listResourceTemplates: () => Promise<readonly ResourceTemplate[]>;
  /** Reads a file of the library as `generateLibrary` writes it. A server that was never listed is asked. */
  readonly readResource: (request: { readonly uri: string }) => Promise<ResourceText>;
  /** Lists the prompts and their arguments. */
  readonly listPrompts: () => Promise<readonly PromptSummary[]>;
  /** Fills in one prompt. */
  readonly getPrompt: (request: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  }) => Promise<PromptText>;
  /** Completes a name. Starts no server. */
  readonly completeName: (request: CompletionRequest) => Promise<Completion>;
}

// The library as others read it: files by address, prompts by name, and the completion of names in both.

/** A file of the library that is listed by itself; tools' files are found by templates. */
export interface LibraryResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourcePage {
  readonly resources: readonly LibraryResource[];
  /** Asks for the next page; absent on the last. */
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

/** What a name can be the name of. `argument` is one of a tool's. */
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
  /** A template of the library, a prompt, or names as they are written on a command line. */
  readonly of: { readonly template: string } | { readonly prompt: string } | { readonly kind: NameKind };
  /** Which argument of the template or prompt. */
  readonly argument?: string | undefined;
  /** What was typed so far. */
  readonly value: string;
  /** Arguments that are known already, e.g. the server whose tools are asked for. */
  readonly known?: Readonly<Record<string, string>> | undefined;
}

export interface Completion {
  readonly values: readonly string[];
  /** How many there are, also those that were left out. */
  readonly total: number;
}

export interface LibraryVerbs {
  /** The library's files that are listed by themselves, a page at a time. Starts no server. */
  readonly listResources: (options?: { readonly cursor?: string | undefined }) => Promise<ResourcePage>;
  /** The patterns of addresses that tools' files are found by. */
  readonly listResourceTemplates: () => Promise<readonly ResourceTemplate[]>;
  /** A file of the library, the same as `generateLibrary` writes. A server that was never listed is asked. */
  readonly readResource: (request: { readonly uri: string }) => Promise<ResourceText>;
  /** The prompts for agents, and their arguments. */
  readonly listPrompts: () => Promise<readonly PromptSummary[]>;
  /** One prompt, filled in. */
  readonly getPrompt: (request: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  }) => Promise<PromptText>;
  /** Names that fit what was typed. Starts no server. */
  readonly completeName: (request: CompletionRequest) => Promise<Completion>;
}

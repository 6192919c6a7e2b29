// The library as resources and prompts: its verbs, and the addresses of its files, `library://` and the path in the tree.
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type Language,
  type PeopleAnswer,
  type RunQuestion,
} from "../../contracts/index.js";

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
  | "session"
  | "value"
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

export interface OfferedRequest {
  /** A resource of a server, as `listResources` names it. */
  readonly resource?: string | undefined;
  /** A prompt of a server, as `listPrompts` names it. */
  readonly prompt?: string | undefined;
  /** The prompt's arguments. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Complete this argument of the prompt or resource template instead. */
  readonly complete?:
    | { readonly argument: string; readonly value: string; readonly known?: JsonObject | undefined }
    | undefined;
  /** Asks a person, if the settings require approval or the server asks. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  /** The authenticated caller, for rules on callers. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LibraryVerbs {
  /** Lists the library's files and the known resources of servers, a page at a time. Starts no server. */
  readonly listResources: (options?: { readonly cursor?: string | undefined }) => Promise<ResourcePage>;
  /** Lists the URI templates of tools' files and of servers' resources. */
  readonly listResourceTemplates: () => Promise<readonly ResourceTemplate[]>;
  /** Reads a file of the library as `generateLibrary` writes it. If its server was never listed, starts it. */
  readonly readResource: (request: { readonly uri: string }) => Promise<ResourceText>;
  /** Reads a resource, prompt or completion of a server. Undefined if the name is not one of a server. */
  readonly readOffered: (request: OfferedRequest) => Promise<Json | undefined>;
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

const scheme = "library://";

export const languages: readonly Language[] = ["typescript", "python"];

/** The folder above the servers in each language. */
export const topFolders = { typescript: "servers", python: "mcp_tools" } as const satisfies Record<
  Language,
  string
>;

export const mimeTypes = {
  markdown: "text/markdown",
  typescript: "text/x-typescript",
  python: "text/x-python",
} as const;

export type LibraryAddress =
  | { readonly kind: "manual"; readonly language: Language }
  /** A file above the server folders. */
  | { readonly kind: "top"; readonly language: Language; readonly file: string }
  | { readonly kind: "server"; readonly language: Language; readonly server: string; readonly file: string };

export const toAddress = (path: string): string => scheme + path.split("/").map(encodeURIComponent).join("/");

export const libraryTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: `${scheme}servers/{server}`,
    name: "server",
    description: "A server's tools, one line each, with links to their files",
    mimeType: mimeTypes.markdown,
  },
  {
    uriTemplate: `${scheme}servers/{server}/{tool}.ts`,
    name: "tool",
    description: "One tool as TypeScript: its types, its comment, its function",
    mimeType: mimeTypes.typescript,
  },
  {
    uriTemplate: `${scheme}mcp_tools/{server}`,
    name: "python-server",
    description: "A server's tools in Python, one line each, with links to their files",
    mimeType: mimeTypes.markdown,
  },
  {
    uriTemplate: `${scheme}mcp_tools/{server}/{tool}.py`,
    name: "python-tool",
    description: "One tool as Python: its types, its comment, its function",
    mimeType: mimeTypes.python,
  },
  {
    uriTemplate: `${scheme}manual/{language}`,
    name: "manual",
    description: "How to write programs, on one page",
    mimeType: mimeTypes.markdown,
  },
];

export const resourceUnknown = (uri: string, reason: string, hint?: string): CoordinatorError =>
  new CoordinatorError("RESOURCE_UNKNOWN", `Cannot read "${uri.slice(0, 200)}": ${reason}`, {
    hint,
  });

/** Parses an address. Throws RESOURCE_UNKNOWN for an unknown one. */
export const parseAddress = (uri: string): LibraryAddress => {
  const segments = decode(uri);
  const [top = "", second, third, ...rest] = segments ?? [];
  const language = languages.find((one) => topFolders[one] === top);
  if (rest.length === 0) {
    const named = languages.find((one) => one === second);
    if (top === "manual" && third === undefined && named !== undefined)
      return { kind: "manual", language: named };
    if (language !== undefined && second === undefined) return { kind: "top", language, file: "README.md" };
    if (language !== undefined && second !== undefined) {
      if (third !== undefined) return { kind: "server", language, server: second, file: third };
      return /\.(?:md|ts|py)$/.test(second)
        ? { kind: "top", language, file: second }
        : { kind: "server", language, server: second, file: "README.md" };
    }
  }
  throw resourceUnknown(uri, "the library has no such file");
};

const decode = (uri: string): readonly string[] | undefined => {
  if (!uri.toLowerCase().startsWith(scheme) || uri.length > 2000) return undefined;
  const path = uri
    .slice(scheme.length)
    .replace(/[?#].*/s, "")
    // bounded: an address has at most 2,000 characters
    .replace(/\/+$/, "");
  try {
    return path === "" ? undefined : path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

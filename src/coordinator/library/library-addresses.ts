// The addresses of the library's files: `library://` and the path in the tree.
import { CoordinatorError, type Language } from "../../contracts/index.js";

/** A file of the library that is listed. Files of tools are found through templates. */
export interface LibraryResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A URI template for files of the library or resources of a server. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
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

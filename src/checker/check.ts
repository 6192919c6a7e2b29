// Types of the check (its request, its diagnostics), and how diagnostics are selected and rendered.
import type { EffectManifest, JsonSchema, Language, ServerCatalog, Tool } from "../contracts/index.js";
import type { Place } from "./program.js";

/** A server that the program uses, with the declarations that it is checked against. */
export interface CheckedServer {
  readonly catalog: ServerCatalog;
  /** The declaration module that codegen generates from the catalog. */
  readonly source: string;
  /** Changes whenever `source` does. */
  readonly fingerprint: string;
  /** Tools whose result type was learned from answers. Errors that depend on one are only warnings. */
  readonly observedTools?: ReadonlySet<string> | undefined;
  /** Learned result types, by the tool's name on the wire. */
  readonly learned?: ReadonlyMap<string, JsonSchema> | undefined;
  /** Function names that differ from the tool names. */
  readonly functionNames?: ReadonlyMap<Tool, string> | undefined;
}

/** How to type-check a Python program, if a type checker is installed. */
export interface PythonTypes {
  readonly checker: "auto" | "off" | "ty" | "pyright" | "basedpyright" | "mypy";
  /** The Python that runs programs. A type checker installed beside it comes first. */
  readonly interpreter?: string | undefined;
  /** The user requested this check and waits for it. Before a run, only a fast type checker is used. */
  readonly isRequested: boolean;
  readonly renderModule: (options: { readonly catalog: ServerCatalog }) => { readonly source: string };
  readonly renderCallModule: (options: { readonly style: "value" | "awaitable" }) => string;
}

/** A hand-written module that the program imports, directly or through another one. */
export interface CheckedAdapter {
  /** `servers/<identifier>/<name>`, or the file of a skill. */
  readonly path: string;
  readonly text: string;
  /** Other paths that resolve to it: a skill's name means the file of its newest version. */
  readonly names?: readonly string[] | undefined;
}

export interface CheckRequest {
  /** @default "typescript" */
  readonly language?: Language | undefined;
  /** The program as submitted, with its fence if it has one. */
  readonly text: string;
  /** Imports of the program, without names that are only used as types. */
  readonly imported: readonly string[];
  /** Names that earlier programs of the session declared may be in scope. */
  readonly isSession: boolean;
  /** Those of them that are known. They shadow a server of the same name. */
  readonly declared?: readonly string[] | undefined;
  /** Only the servers that the program uses. A server that could not be listed is left out and not checked. */
  readonly servers: readonly CheckedServer[];
  /** Servers that the program seems to use but that could not be listed. */
  readonly unlisted?: readonly string[] | undefined;
  /** Every configured server: configured name → identifier in programs. */
  readonly identifiers: ReadonlyMap<string, string>;
  /** Other global names of servers, derived from the identifiers: alias → configured name. */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
  /** Set if the text is an adapter, not a program: the file name for messages and the folder that imports are relative to. */
  readonly module?: { readonly file: string; readonly folder: string } | undefined;
  /** Every adapter that the program imports, directly or indirectly. */
  readonly adapters?: readonly CheckedAdapter[] | undefined;
  /** Adapter names per server, by configured name. */
  readonly adapterNames?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Other modules that can be imported. Their exports are not checked. */
  readonly modules?: readonly string[] | undefined;
  /** Python modules that the configuration denies. */
  readonly deniedModules?: readonly string[] | undefined;
  /** Python modules that the program imports but the sandbox lacks. */
  readonly missingModules?: readonly string[] | undefined;
  /** Why this sandbox has fewer modules than others. */
  readonly sandboxNote?: string | undefined;
  readonly pythonTypes?: PythonTypes | undefined;
  /** Additional global names. */
  readonly globals?: readonly string[] | undefined;
  readonly nearestNames: (word: string, candidates: Iterable<string>, limit?: number) => readonly string[];
  readonly renderSignature: (options: {
    readonly tool: Tool;
    readonly identifier: string;
    readonly functionName?: string | undefined;
  }) => string;
}

export type DiagnosticCode =
  | "IMPORT_UNKNOWN"
  | "SERVER_UNKNOWN"
  | "TOOL_UNKNOWN"
  | "ARGUMENT_UNKNOWN"
  | "ARGUMENT_MISSING"
  | "ARGUMENT_WRONG"
  | "FIELD_UNKNOWN"
  | "VALUE_IMPOSSIBLE"
  | "AWAIT_MISSING"
  | "NAME_UNKNOWN"
  | "NOT_CALLABLE"
  | "NOT_ITERABLE"
  | "CALL_DENIED"
  | "TOOL_CHANGED"
  | "ADVICE"
  | "NOT_CHECKED"
  | "SKILL_UNSIGNED";

/** One finding. An error is certain and stops the program. A warning is reported and the program runs. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly code: DiagnosticCode;
  /** The adapter file it is in; absent if it is in the program. */
  readonly file?: string | undefined;
  /** Position in the submitted text, starting at 1. */
  readonly line: number;
  readonly column: number;
  /** The source line. */
  readonly excerpt: string;
  readonly message: string;
  /** The next step: the nearest name, the exact signature, an example. */
  readonly hint?: string | undefined;
}

/** A finding before its offset is resolved to line and column. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: DiagnosticCode;
  /** Offset in the program without its fence. */
  readonly offset: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Further findings that are not listed, if there are too many. */
  readonly omitted?: number | undefined;
  readonly manifest: EffectManifest;
  /** The parser was unsure about the text, so nothing was checked. */
  readonly isGuessed?: true | undefined;
}

const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of a program or server in quotes: shortened, on one line, without hidden characters. */
export const quote = (text: string, maxLength = 80): string => `"${show(text, maxLength)}"`;

/** The same without quotes. */
export const show = (text: string, maxLength = 80): string => {
  const plain = text.slice(0, 4 * maxLength).replace(hiddenCharacters, " ");
  const points = [...plain];
  return points.length > maxLength ? `${points.slice(0, maxLength).join("")}…` : plain;
};

export const quoteList = (names: readonly string[]): string => names.map((name) => quote(name)).join(" or ");

/** The end of a message that suggests names; empty if none is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length > 0 ? `, did you mean ${quoteList(near)}?` : "";

/** The first of these names; empty if there are none. */
export const listNames = (names: Iterable<string>, { max = 20, maxLength = 40 } = {}): string => {
  const all = [...names];
  const shown = all.slice(0, max).map((name) => show(name, maxLength));
  return `${shown.join(", ")}${all.length > max ? ", …" : ""}`;
};

/** The fields of an answer and the tool's signature, one per line; undefined if there is neither. */
export const hintFields = (
  fields: readonly string[],
  { ofItems, signature }: { readonly ofItems: boolean; readonly signature: string | undefined },
): string | undefined => {
  const list = `${ofItems ? "Fields of its items" : "Fields"}: ${listNames(fields, { max: 24 })}`;
  const lines = [fields.length > 0 ? list : undefined, signature].filter((line) => line !== undefined);
  return lines.length === 0 ? undefined : lines.join("\n");
};

/** An expression as written, on one line. */
export const showSource = (text: string, { start, end }: Place): string =>
  show(text.slice(start, end).replace(/\s+/g, " "), 60);

/** Reported at most. The caller decides how many to show. */
const maxReported = 50;

const rank = ({ severity }: Finding): number => (severity === "error" ? 0 : 1);

/** Errors first, one per position. `omitted` counts those beyond the maximum. */
export const selectFindings = (
  findings: readonly Finding[],
): { readonly reported: readonly Finding[]; readonly omitted: number } => {
  const places = new Set<number>();
  const all = [...findings]
    .sort((one, other) => rank(one) - rank(other) || one.offset - other.offset)
    .filter(({ offset }) => !places.has(offset) && places.add(offset));
  return { reported: all.slice(0, maxReported), omitted: Math.max(0, all.length - maxReported) };
};

/** One paragraph per finding: its line, what is wrong, and how to fix it. */
export const renderDiagnostics = (diagnostics: readonly Diagnostic[]): string => {
  const shown = new Set<string>();
  return diagnostics
    .flatMap(({ severity, line, column, message, hint = "" }) => {
      const place = `Line ${line}, column ${column}${severity === "warning" ? " (warning)" : ""}`;
      // Two findings in one call need its signature only once.
      const below = hint.split("\n").filter((text) => text !== "" && !shown.has(text));
      for (const text of below) shown.add(text);
      return [`${place}: ${message}`, ...below.map((text) => `  ${text}`)];
    })
    .join("\n");
};

// The words of the check: what it is asked, what it finds, and the calls a program can make.
import type { Json, JsonSchema, Language, ServerCatalog, Tool } from "../contracts/index.js";

/** A server that the program reaches, with the declarations that it is checked against. */
export interface CheckedServer {
  readonly catalog: ServerCatalog;
  /** The module of declarations that codegen writes for the catalog. */
  readonly source: string;
  /** Changes whenever `source` does. */
  readonly fingerprint: string;
  /** Names of the tools whose result type was learned from answers: errors that rest on it are warnings. */
  readonly observedTools?: ReadonlySet<string> | undefined;
  /** Result types that were learned, by the tool's name on the wire. */
  readonly learned?: ReadonlyMap<string, JsonSchema> | undefined;
  /** The functions' names where they are others than the tools' own. */
  readonly functionNames?: ReadonlyMap<Tool, string> | undefined;
}

/** How the types of a Python program are checked, where a checker of types is installed. */
export interface PythonTypes {
  readonly checker: "auto" | "off" | "ty" | "pyright" | "basedpyright" | "mypy";
  /** The Python that programs run on: a checker beside it is taken first. */
  readonly interpreter?: string | undefined;
  /** Somebody asked for a check and waits; before a run only a fast checker is waited for. */
  readonly isAsked: boolean;
  readonly renderModule: (options: { readonly catalog: ServerCatalog }) => { readonly source: string };
  readonly renderCallModule: (options: { readonly style: "value" | "awaitable" }) => string;
}

/** A hand-written module that the text reaches, directly or through another. */
export interface CheckedAdapter {
  /** `servers/<identifier>/<name>`, or the file of a skill. */
  readonly path: string;
  readonly text: string;
  /** Other paths that lead to it: a skill's name means the file of its newest version. */
  readonly names?: readonly string[] | undefined;
}

export interface CheckRequest {
  /** @default "typescript" */
  readonly language?: Language | undefined;
  /** The program's text as it was given, with its fence if it had one. */
  readonly text: string;
  /** What its import statements name, without those whose names are used as types alone. */
  readonly imported: readonly string[];
  /** Names that earlier programs of the session declared are not in the text. */
  readonly isSession: boolean;
  /** Those of them that are known: a server of the same name is no global any more. */
  readonly declared?: readonly string[] | undefined;
  /** Only the servers that the program reaches. One that could not be listed is left out, and not checked. */
  readonly servers: readonly CheckedServer[];
  /** Those that the program seems to use and that could not be listed. */
  readonly unlisted?: readonly string[] | undefined;
  /** Every configured server: configured name → identifier in programs. */
  readonly identifiers: ReadonlyMap<string, string>;
  /** Other global names of servers, made of the identifiers: alias → configured name. */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
  /** The text is that of an adapter, no program: the file that messages name, the folder that its imports start from. */
  readonly module?: { readonly file: string; readonly folder: string } | undefined;
  /** Every adapter that the text reaches. */
  readonly adapters?: readonly CheckedAdapter[] | undefined;
  /** Names of the adapters that there are for a server, by its configured name. */
  readonly adapterNames?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Other modules that can be imported; their exports are not checked. */
  readonly modules?: readonly string[] | undefined;
  /** Modules of Python that the configuration denies. */
  readonly deniedModules?: readonly string[] | undefined;
  /** Modules of Python that the program imports and the sandbox does not have. */
  readonly missingModules?: readonly string[] | undefined;
  /** Why the sandbox is one that has fewer modules than others. */
  readonly sandboxNote?: string | undefined;
  readonly pythonTypes?: PythonTypes | undefined;
  /** Global names beyond those that every program has. */
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
  | "ADVICE"
  | "NOT_CHECKED";

/** One mistake. An error is certain: the program is refused. A warning is told and the program runs. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly code: DiagnosticCode;
  /** The adapter's file that it is in; absent when it is in the program. */
  readonly file?: string | undefined;
  /** Positions of the text as it was given, starting at 1. */
  readonly line: number;
  readonly column: number;
  /** The program's text at that line. */
  readonly excerpt: string;
  readonly message: string;
  /** The next step: the nearest name, the exact signature, an example. */
  readonly hint?: string | undefined;
}

/** A mistake before its place is known as line and column. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: DiagnosticCode;
  /** Offset in the program's text without its fence. */
  readonly offset: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface ManifestCall {
  readonly server: string;
  /** The name on the wire. */
  readonly tool: string;
  readonly isReadOnly: boolean;
  readonly count: "once" | "many";
  /** Arguments that are the same in every call, as far as the text tells. */
  readonly constants: Readonly<Record<string, Json>>;
}

/** The tools a program can call. With dynamic calls it may call others too. */
export interface EffectManifest {
  readonly calls: readonly ManifestCall[];
  readonly hasDynamicCalls: boolean;
}

export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly manifest: EffectManifest;
  /** The text was not understood for certain: nothing of it was checked. */
  readonly isGuessed?: true | undefined;
}

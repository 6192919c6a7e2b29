// Types of the check: its request, its diagnostics and the calls a program can make.
import type { Json, JsonSchema, Language, ServerCatalog, Tool } from "../contracts/index.js";

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
  readonly isAsked: boolean;
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
  | "ADVICE"
  | "NOT_CHECKED";

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

export interface ManifestCall {
  readonly server: string;
  /** The name on the wire. */
  readonly tool: string;
  readonly isReadOnly: boolean;
  readonly count: "once" | "many";
  /** Arguments that are the same in every call, as far as static analysis can tell. */
  readonly constants: Readonly<Record<string, Json>>;
}

/** The tools a program can call. With `dynamic`, it may call others too. */
export interface EffectManifest {
  readonly calls: readonly ManifestCall[];
  readonly hasDynamicCalls: boolean;
}

export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly manifest: EffectManifest;
  /** The parser was unsure about the text, so nothing was checked. */
  readonly isGuessed?: true | undefined;
}

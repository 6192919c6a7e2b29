// Policies: what a decision looks at, the ruling, and the effect manifest of a program with the rights that a person grants by it.
import type { CallEffect, InverseCall, RecordedInverse } from "./journal-records.js";
import type { Json, JsonObject } from "./json.js";
import type { Tool } from "./tool.js";

/** A policy as it was written. */
export interface PolicyDocument {
  readonly file: string;
  readonly document: Json;
  /** It was found in a project's folder: it can only narrow. */
  readonly isProject?: true | undefined;
  /** The line of a value in the file. */
  readonly lineOf?: ((path: readonly (string | number)[]) => number | undefined) | undefined;
}

/** What rules look at of a tool. */
export interface RuledTool {
  readonly server: string;
  /** The name on the wire. */
  readonly name: string;
  /** Its name in programs. */
  readonly functionName?: string | undefined;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Reaches beyond the server's own data. Undefined counts as true. */
  readonly isExternal?: boolean | undefined;
}

/** What programs, models and people read of a rule. It never contains the rule's pattern. */
export interface RuleName {
  readonly name: string;
  readonly because?: string | undefined;
}

/** What a policy says about a call. */
export interface CallRuling {
  readonly answer: "allow" | "ask" | "deny";
  /** The rule that decided. Undefined: no rule matches the call. */
  readonly rule?: RuleName | undefined;
}

/** What a policy says about the data in a call. */
export interface FlowRuling extends CallRuling {
  /** The labels of the arguments. */
  readonly labels: ReadonlySet<string>;
}

/** One place in a program that calls a tool, or passes it on. */
export interface ManifestCall {
  readonly server: string;
  /** The name on the wire. */
  readonly tool: string;
  /** The tool's definition when the program was checked. */
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  /** What repeating the call would do. */
  readonly effect: CallEffect;
  /** The adapter or skill that contains it; absent if it is in the program. */
  readonly file?: string | undefined;
  /** Starts at 1; absent if it is an export. */
  readonly line?: number | undefined;
  readonly count: "once" | "many";
  /** How often it may be made under one approval. */
  readonly max: number;
  /** Arguments that are literals in the program. */
  readonly constants: JsonObject;
  /** Arguments that are one of several literals; `null` also stands for an omitted one. */
  readonly choices?: { readonly [argument: string]: readonly Json[] } | undefined;
  /** Literals that are too long to be listed: the SHA-256 of their canonical JSON. */
  readonly digests?: { readonly [argument: string]: string } | undefined;
  /** Arguments whose values are only known at run time. */
  readonly open: readonly string[];
  /** It may have any other argument, too. */
  readonly isOpen?: true | undefined;
}

/** What a program can do, found without running it. */
export interface EffectManifest {
  /** One entry for each place, in source order. */
  readonly calls: readonly ManifestCall[];
  /** It makes calls whose tool is only known at run time. */
  readonly hasDynamicCalls: boolean;
  /** Where it makes them, as far as that is one place. */
  readonly dynamic?:
    | readonly { readonly file?: string | undefined; readonly line: number; readonly excerpt: string }[]
    | undefined;
}

/** A program whose calls a person approved as a whole. */
export interface ApprovedProgram {
  /** Whether the call is in the program's text, with these arguments. */
  readonly includes: (tool: Tool, given: JsonObject) => boolean;
  /** Uses up the approval of one call. False: it has none left, so a person must be asked. */
  readonly take: (tool: Tool, given: JsonObject) => Promise<boolean>;
  /** Who approved it, for the audit. */
  readonly approver: "person" | "client";
  /** Why a person is asked although the program is approved. */
  readonly note: string;
}

/** How often a call in a loop may be made under one approval, if the policy does not say. */
export const defaultRepeats = 100;

/** What repeating a call would do, according to its server. */
export const toEffect = ({
  isReadOnly,
  isIdempotent,
}: Pick<Tool, "isReadOnly" | "isIdempotent">): CallEffect =>
  isReadOnly ? "read" : isIdempotent === true ? "idempotent" : "write";

/** Computes the inverse of one write. */
export interface InverseMaker {
  /** The read that comes before the write. Undefined: none. Throws if it cannot be computed. */
  readonly toRead: (given: JsonObject) => InverseCall | undefined;
  readonly usesAnswer: boolean;
  /** Never throws. */
  readonly invert: (facts: {
    readonly arguments: JsonObject;
    readonly answer?: Json | undefined;
    readonly before?: Json | undefined;
  }) => RecordedInverse;
}

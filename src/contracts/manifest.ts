// The effect manifest: every place where a program calls a tool, found without running it, and the rights that a person grants by it.
import type { CallEffect } from "./journal-records.js";
import { type Json, type JsonObject, readLargeInteger } from "./json.js";
import type { Tool } from "./tool.js";

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

/** Hostile JSON must not overflow the stack. */
const maxDepth = 1000;

/** JSON with sorted keys. */
export const toCanonicalJson = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null || readLargeInteger(value as Json) !== undefined)
    return JSON.stringify(value) ?? "null";
  if (depth > maxDepth) return '"too deep"';
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item, depth + 1)).join(",")}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries = Object.keys(fields)
    .sort()
    .flatMap((key) =>
      fields[key] === undefined ? [] : [`${JSON.stringify(key)}:${toCanonicalJson(fields[key], depth + 1)}`],
    );
  return `{${entries.join(",")}}`;
};

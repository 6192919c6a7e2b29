// Guardrails: the user's patterns on programs, on input of servers and on output for models. Every pattern takes linear time.
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import type { Json } from "../contracts/index.js";
import { isJsonObject } from "../contracts/index.js";
import type { DocumentPath, PolicyReader } from "./parse-policy.js";
import { findInText } from "./privacy/find-in-text.js";
import type { HiddenKind } from "./privacy/kinds.js";

/** `input`: what servers get. `output`: what models and people read. */
export const guardedPlaces = ["code", "input", "output"] as const;

export type GuardedPlace = (typeof guardedPlaces)[number];

export const guardrailModes = ["warn", "block"] as const;

export interface Guardrail {
  /** What programs, models and people read. They never read the pattern. */
  readonly name: string;
  readonly on: readonly GuardedPlace[];
  readonly mode: (typeof guardrailModes)[number];
  /** In the syntax of RE2. */
  readonly pattern?: string | undefined;
  /** Personal values and secrets that are found by their form. */
  readonly detect?: readonly HiddenKind[] | undefined;
  /** The maximum number of steps per character. */
  readonly cost: number;
  readonly because?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** A guardrail that applies to a text. */
export interface GuardrailMatch {
  /** Its place in the list. */
  readonly index: number;
  /** Where in the text. */
  readonly at: number;
}

const maxGuardrails = 100;
const maxPattern = 1000;
/** Of all patterns together: each takes time to compile. */
const maxPatterns = 20_000;
/** Steps of a detector. */
const detectorCost = 30;
const detected = ["email", "phone", "iban", "card", "ssn", "ip", "secret"] as const;
const keys = ["name", "on", "pattern", "detect", "mode", "because"];

const patterns = new Map<string, RE2JS>();
let engine: typeof RE2JS | undefined;

/** The engine takes 10 ms to load, so it is loaded for the first pattern. Throws for a wrong pattern. */
const compile = (pattern: string): RE2JS => {
  let found = patterns.get(pattern);
  if (found === undefined) {
    engine ??= (createRequire(import.meta.url)("re2js") as { readonly RE2JS: typeof RE2JS }).RE2JS;
    found = engine.compile(pattern);
    if (patterns.size >= maxGuardrails * 2) patterns.clear();
    patterns.set(pattern, found);
  }
  return found;
};

const findPlace = ({ pattern, detect = [] }: Guardrail, text: string): number | undefined => {
  if (pattern !== undefined) {
    const compiled = compile(pattern);
    // Finding the position takes longer than finding whether there is a match.
    if (!compiled.test(text)) return undefined;
    const matcher = compiled.matcher(text);
    return matcher.find() ? matcher.start() : 0;
  }
  return findInText(text, new Set(detect)).find(({ kind }) => kind !== "quoted")?.start;
};

/** As JSON writes them, also in programs, in printed JSON and in JSON inside of JSON. */
const escapes = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** A server's JSON is a text in the JSON of its answer. */
const maxUnescaped = 2;

const removeEscapes = (text: string): string =>
  text.replace(escapes, (_all, code: string | undefined, sign: string) =>
    code === undefined ? (controls[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Maps a position in the unescaped text to the text as written. */
const toWritten = (written: string, at: number): number => {
  let shift = 0;
  for (const { 0: found, index } of written.matchAll(escapes)) {
    if (index - shift >= at) break;
    shift += found.length - 1;
  }
  return at + shift;
};

/** How often a text is read: as it is written, and without escapes. */
export const countReadings = (text: string): number => (text.includes("\\") ? 1 + maxUnescaped : 1);

/** A text is read as it is written, and also without escapes. */
export const matchGuardrails = (
  guardrails: readonly Guardrail[],
  text: string,
): readonly GuardrailMatch[] => {
  const readings = [text];
  while (readings.length < countReadings(text)) {
    const last = readings.at(-1) ?? "";
    const next = removeEscapes(last);
    if (next === last) break;
    readings.push(next);
  }
  return guardrails.flatMap((guardrail, index) => {
    for (const [level, reading] of readings.entries()) {
      const found = findPlace(guardrail, reading);
      if (found === undefined) continue;
      const at = readings.slice(0, level).reduceRight((place, written) => toWritten(written, place), found);
      return [{ index, at }];
    }
    return [];
  });
};

export const parseGuardrails = (
  value: Json | undefined,
  { report, checkKeys, toPlace }: PolicyReader,
): readonly Guardrail[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxGuardrails) {
    report(["guardrails"], `is not a list of at most ${maxGuardrails} guardrails`);
    return [];
  }
  /** One of the words, or a list of them. */
  const readWords = <Word extends string>(
    written: Json | undefined,
    words: readonly Word[],
    path: DocumentPath,
  ): readonly Word[] => {
    const list = Array.isArray(written) ? (written as readonly Json[]) : [written];
    const found = words.filter((word) => list.includes(word));
    if (found.length !== list.length || found.length === 0)
      report(path, `is ${toShown(written)}, expected ${words.join(", ")}`);
    return found;
  };
  if (JSON.stringify(value).length > maxPatterns) {
    report(["guardrails"], `is larger than ${maxPatterns} characters`);
    return [];
  }
  return (value as readonly Json[]).flatMap((entry, index): readonly Guardrail[] => {
    const path = ["guardrails", index];
    if (!isJsonObject(entry)) {
      report(path, "is not an object like { name, on, pattern, mode }");
      return [];
    }
    checkKeys(entry, keys, path);
    const { name = `guardrail ${index + 1}`, on, pattern, detect, mode, because } = entry;
    for (const [key, text] of Object.entries({ name, because }))
      if (text !== undefined && typeof text !== "string") report([...path, key], "is not a string");
    if ((pattern === undefined) === (detect === undefined))
      report(path, "has no single condition, expected either a pattern or detect");
    const problem = pattern === undefined ? undefined : findPatternProblem(pattern);
    if (problem !== undefined) report([...path, "pattern"], problem);
    return [
      {
        name: String(name),
        on: readWords(on, guardedPlaces, [...path, "on"]),
        mode: readWords(mode, guardrailModes, [...path, "mode"])[0] ?? "block",
        pattern: typeof pattern === "string" ? pattern : undefined,
        cost: typeof pattern === "string" && problem === undefined ? sizeOf(pattern) : detectorCost,
        detect: detect === undefined ? undefined : readWords(detect, detected, [...path, "detect"]),
        because: typeof because === "string" ? because : undefined,
        ...toPlace(path),
      },
    ];
  });
};

const sizeOf = (pattern: string): number => compile(pattern).programSize();

const toShown = (value: Json | undefined): string =>
  value === undefined ? "missing" : JSON.stringify(value).slice(0, 50);

const findPatternProblem = (pattern: Json): string | undefined => {
  if (typeof pattern !== "string" || pattern === "" || pattern.length > maxPattern)
    return `is not a pattern of 1 to ${maxPattern} characters`;
  try {
    return compile(pattern).test("") ? "matches every text, also an empty one" : undefined;
  } catch (thrown) {
    const why = (thrown as Error).message.replace(/^error parsing regexp: /, "");
    return `is not a pattern: ${why}. Look-around and back-references do not exist here`;
  }
};

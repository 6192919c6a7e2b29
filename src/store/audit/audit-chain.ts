// The hash chain of the audit: each line has its own HMAC and that of the previous line, so that changes are detected.
import { createHmac } from "node:crypto";
import {
  type AuditEntry,
  finishInSlices,
  type Json,
  largeBytes,
  stringifyInSteps,
  takeTurn,
} from "../../contracts/index.js";
import { toSortedText } from "../journal/journal-record.js";

/** The current end of the chain. */
export interface ChainEnd {
  readonly n: number;
  readonly mac: string;
}

export const chainStart: ChainEnd = { n: 0, mac: "" };

/** A line that is not yet part of the chain. */
export type LooseEntry = Omit<AuditEntry, "n" | "previous" | "mac">;

const toMac = (key: Buffer, body: string): string =>
  createHmac("sha256", key).update("line\n").update(body).digest("base64url");

/** Many readers of lines end one at these characters, too. Names that servers and programs choose may contain them. */
const lineEnds = /[\u0085\u2028\u2029]/g;

const toLine = (entry: object): string =>
  JSON.stringify(entry).replace(
    lineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Adds a line to the chain. */
export const sealLine = (
  key: Buffer,
  end: ChainEnd,
  entry: LooseEntry,
): { readonly line: string; readonly end: ChainEnd } => {
  const n = end.n + 1;
  const body = toLine({ n, ...entry, previous: end.mac });
  const mac = toMac(key, body);
  return { line: `${body.slice(0, -1)},"mac":"${mac}"}`, end: { n, mac } };
};

const ending = /,"mac":"([\w-]{43})"\}$/;

/** Parses a line; undefined if it is not valid. With a key, its HMAC must be right. */
export const readLine = (line: string, key?: Buffer): AuditEntry | undefined => {
  const found = ending.exec(line.slice(-60));
  const mac = found?.[1];
  if (mac === undefined) return undefined;
  const body = `${line.slice(0, -(found?.[0].length ?? 0))}}`;
  if (key !== undefined && toMac(key, body) !== mac) return undefined;
  try {
    const entry = JSON.parse(line) as AuditEntry;
    return Number.isSafeInteger(entry.n) && typeof entry.previous === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
};

/** An HMAC of the arguments, to compare them without storing them. A plain hash of an amount or an address could be guessed. */
export const hashArguments = async (
  key: Buffer,
  value: Json,
): Promise<{ readonly hmac: string; readonly bytes: number }> => {
  const text = toSortedText(value) ?? (await finishInSlices(stringifyInSteps(value)));
  const hash = createHmac("sha256", key).update("arguments\n");
  for (let at = 0; at < text.length; at += largeBytes) {
    if (at > 0) await takeTurn();
    hash.update(text.slice(at, at + largeBytes));
  }
  return { hmac: hash.digest("base64url"), bytes: text.length };
};

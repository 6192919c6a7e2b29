// Validates the findings of an external detector. One wrong span invalidates the whole answer.
import { isJsonObject, type Json } from "../../contracts/index.js";
import type { PolicyReader } from "../parse-policy.js";
import { type Finding, findPrivacyTokens, type HiddenKind, hiddenKinds } from "./kinds.js";

/** How to reach an external detector. Exactly one of `command` and `url` is set. */
export interface DetectorRule {
  readonly command?: string | undefined;
  readonly args: readonly string[];
  readonly url?: string | undefined;
  readonly timeoutMs: number;
  readonly file?: string | undefined;
}

const defaultTimeoutMs = 10_000;
const maxTimeoutMs = 60_000;
const keys = ["command", "args", "url", "timeoutMs"];

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);

/** Personal values are sent there, so the address must use https or be on this machine. */
const isSafe = (address: Json): boolean => {
  const url = typeof address === "string" ? URL.parse(address) : null;
  return url !== null && (url.protocol === "https:" || isLoopback(url));
};

export const parseDetector = (
  value: Json | undefined,
  { report, checkKeys, toPlace }: PolicyReader,
): DetectorRule | undefined => {
  if (value === undefined) return undefined;
  const path = ["detector"];
  if (!isJsonObject(value)) {
    report(path, "is not an object with a command or a url");
    return undefined;
  }
  checkKeys(value, keys, path);
  const { command, args = [], url, timeoutMs = defaultTimeoutMs } = value;
  if ((command === undefined) === (url === undefined)) report(path, "needs either a command or a url");
  if (command !== undefined && (typeof command !== "string" || command === ""))
    report([...path, "command"], "is not a string");
  if (!Array.isArray(args) || args.some((word) => typeof word !== "string"))
    report([...path, "args"], "is not a list of strings");
  if (url !== undefined && !isSafe(url))
    report([...path, "url"], "is not an address with https, or of this machine");
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 1 && timeoutMs <= maxTimeoutMs))
    report([...path, "timeoutMs"], `is not a number from 1 to ${maxTimeoutMs}`);
  return {
    command: typeof command === "string" ? command : undefined,
    args: args as readonly string[],
    url: typeof url === "string" ? url : undefined,
    timeoutMs: Number(timeoutMs),
    file: toPlace(path).file,
  };
};

const toFinding = (value: Json, text: string): Finding | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { start, end, kind } = value;
  const known = hiddenKinds.find((one) => one === kind);
  const isSpan =
    typeof start === "number" &&
    typeof end === "number" &&
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    start >= 0 &&
    start < end &&
    end <= text.length;
  return isSpan && known !== undefined ? { start, end, kind: known } : undefined;
};

/** Text → what was found in it, for one list of findings per text. Undefined if anything in it is wrong. */
export const readFindings = (
  texts: readonly string[],
  reply: unknown,
  kinds: ReadonlySet<HiddenKind>,
): ReadonlyMap<string, readonly Finding[]> | undefined => {
  if (!Array.isArray(reply) || reply.length !== texts.length) return undefined;
  const all = new Map<string, readonly Finding[]>();
  for (const [at, text] of texts.entries()) {
    const list: unknown = reply[at];
    if (!Array.isArray(list)) return undefined;
    const found = (list as readonly Json[]).map((one) => toFinding(one, text));
    const spans = found.filter((one) => one !== undefined).sort((one, other) => one.start - other.start);
    if (spans.length !== found.length) return undefined;
    // Overlaps are ambiguous, also those with what is hidden already.
    const taken = [...spans, ...findPrivacyTokens(text)].sort((one, other) => one.start - other.start);
    if (taken.some(({ start }, index) => start < (taken[index - 1]?.end ?? 0))) return undefined;
    all.set(
      text,
      spans.filter(({ kind }) => kinds.has(kind as HiddenKind)),
    );
  }
  return all;
};

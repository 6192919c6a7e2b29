// Finds phone numbers, card numbers, social security numbers and IP addresses among the digits of a text.
import { isCard, isSsn } from "./check-digits.js";
import { type Finding, type HiddenKind, isDigit } from "./kinds.js";

/** A number as people write it: groups of digits with a few separators in between. */
interface Run {
  readonly text: string;
  /** With an opening bracket or a plus sign. */
  readonly start: number;
  readonly hasPlus: boolean;
  readonly groups: readonly Group[];
  /** A word for phones is right before it, or near. Looked for once. */
  label?: "right before" | "near" | "none" | undefined;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** What is between the group before and this one. */
  readonly separator: string;
}

const maxGroups = 8;
const maxGroupLength = 20;
const maxSeparators = 3;

export const isWordCode = (code: number): boolean =>
  isDigit(code) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  // Letters of other scripts.
  (code >= 0xc0 && code < 0x2000);

/** Inside a longer word, path, version or time. */
const isJoinedBefore = (text: string, start: number): boolean => {
  if (start === 0) return false;
  const before = text.charCodeAt(start - 1);
  if (isWordCode(before)) return true;
  const beyond = text.charCodeAt(start - 2);
  if (text[start - 1] === ":") return isDigit(beyond);
  return "-./@\\&%".includes(text.charAt(start - 1)) && isWordCode(beyond);
};

const isJoinedAfter = (text: string, end: number): boolean => {
  if (end >= text.length) return false;
  if (isWordCode(text.charCodeAt(end)) || text[end] === "%") return true;
  return "-./:@\\".includes(text.charAt(end)) && isWordCode(text.charCodeAt(end + 1));
};

const readRun = (text: string, first: number): Run => {
  let start = first;
  if (text[start - 1] === "(") start--;
  const hasPlus = text[start - 1] === "+";
  if (hasPlus) start--;
  const groups: Group[] = [];
  let at = first;
  let separator = "";
  while (groups.length < maxGroups) {
    const from = at;
    while (at < from + maxGroupLength && isDigit(text.charCodeAt(at))) at++;
    groups.push({ start: from, end: at, digits: text.slice(from, at), separator });
    const gap = at;
    while (at < gap + maxSeparators && at < text.length && " -./()\u00a0".includes(text.charAt(at))) at++;
    if (at === gap || !isDigit(text.charCodeAt(at))) break;
    separator = text.slice(gap, at).replaceAll("\u00a0", " ");
  }
  return { text, start, hasPlus, groups };
};

const isIn = (text: string, from: number, to: number): boolean =>
  text.length <= 4 && Number(text) >= from && Number(text) <= to;

/** How many groups are a calendar date. */
const countDate = ([first, second, third]: readonly Group[]): number => {
  if (first === undefined || second === undefined || third === undefined) return 0;
  const isSeparated = second.separator === third.separator && "-./".includes(second.separator);
  if (!isSeparated) return 0;
  const yearFirst =
    first.digits.length === 4 &&
    isIn(first.digits, 1900, 2199) &&
    isIn(second.digits, 1, 12) &&
    isIn(third.digits, 1, 31);
  const yearLast =
    third.digits.length === 4 &&
    isIn(third.digits, 1900, 2199) &&
    isIn(first.digits, 1, 31) &&
    isIn(second.digits, 1, 31);
  return yearFirst || yearLast ? 3 : 0;
};

const hasSeparators = (groups: readonly Group[], allowed: string): boolean =>
  groups.slice(1).every(({ separator }) => separator.length === 1 && allowed.includes(separator));

const isUniform = (groups: readonly Group[], allowed: string): boolean =>
  hasSeparators(groups, allowed) && new Set(groups.slice(1).map(({ separator }) => separator)).size <= 1;

const lengthsOf = (groups: readonly Group[]): string => groups.map(({ digits }) => digits.length).join(" ");
const digitsOf = (groups: readonly Group[]): string => groups.map(({ digits }) => digits).join("");

const isAddress = (groups: readonly Group[]): boolean =>
  groups.length === 4 &&
  hasSeparators(groups, ".") &&
  groups.every(({ digits }) => isIn(digits, 0, 255) && digits.length <= 3 && !/^0\d/.test(digits)) &&
  // This machine, every machine, and masks say nothing about a person.
  !/^(?:0|127|255)$/.test(groups[0]?.digits ?? "");

const windowBefore = (text: string, start: number, length: number): string =>
  text.slice(Math.max(0, start - length), start);

const ssnWords = /ssn|social security/i;
const cardWords = /card|credit|debit|visa|master|maestro|amex|payment|\bpan\b|\bcc\b/i;
/** Right before any digits. */
const phoneLabels =
  /(?:phone|mobile|cell|handy|telefon|tel|fax|desk|whatsapp|signal|sms)\b[\w ]{0,12}[:.#=]?\s{0,3}(?:is |at |on |to |under )?\(?$|(?:call|text|ring|reach|contact|messages?|sms|answering|registered|dial)(?: (?:me|us|him|her|them|you))?(?: (?:at|on|to|under|number|phone|my|registered)){0,4}:?\s{1,2}\(?$|\b(?:my|his|her|our|new) number is:? \(?$|\b[tpmf][:.] ?\(?$/i;
/** Somewhere before several groups of digits. */
const phoneWords = /\b(?:tele)?(?:phone|mobile|cell|telefon|tel|fax|whatsapp|sms|call|dial|reach)\b/i;

const isSsnRun = (run: Run, groups: readonly Group[]): boolean => {
  if (lengthsOf(groups) !== "3 2 4" || !isSsn(digitsOf(groups))) return false;
  return (
    isUniform(groups, "-") || (isUniform(groups, " ") && ssnWords.test(windowBefore(run.text, run.start, 48)))
  );
};

const isCardRun = (run: Run, groups: readonly Group[]): boolean => {
  if (!isUniform(groups, " -")) return false;
  const lengths = lengthsOf(groups);
  const isGrouped = groups.length > 1 && /^(?:4 4 4 4(?: [1-3])?|4 6 [45])$/.test(lengths);
  const digits = digitsOf(groups);
  if ((groups.length > 1 && !isGrouped) || run.hasPlus || !isCard(digits)) return false;
  // Short numbers that pass the check are common: they need a word.
  const near =
    windowBefore(run.text, run.start, 80) +
    run.text.slice(run.start + digits.length, run.start + digits.length + 40);
  return digits.length >= 14 || cardWords.test(near);
};

/** Seconds or milliseconds since 1970. */
const isEpoch = (digits: string): boolean => /^1[3-9](?:\d{8}|\d{11}|\d{14}|\d{17})$/.test(digits);

const findLabel = (run: Run): Run["label"] => {
  if (run.label === undefined) {
    const before = windowBefore(run.text, run.start, 60);
    run.label = phoneLabels.test(before.slice(-40))
      ? "right before"
      : phoneWords.test(before)
        ? "near"
        : "none";
  }
  return run.label;
};

const isPhoneRun = (run: Run, groups: readonly Group[]): boolean => {
  const digits = digitsOf(groups);
  const [first = { digits: "", start: 0, end: 0, separator: "" }, second] = groups;
  const count = digits.length;
  if (count < 7 || count > 15 || isEpoch(digits)) return false;
  if (run.hasPlus) return groups.length > 1 || count >= 8;
  // A decimal number or a coordinate.
  if (groups.length === 2 && second?.separator === ".") return false;
  const lengths = lengthsOf(groups);
  const isBracketed = run.text[run.start] === "(";
  if (isBracketed)
    return second?.separator.startsWith(")") === true && first.digits.length <= 5 && count <= 13;
  const label = count <= 13 ? findLabel(run) : "none";
  if (label === "right before" || (label === "near" && groups.length > 1)) return true;
  if (/^(?:1 |3 )?3 3 4$/.test(lengths) && hasSeparators(groups, "-.")) {
    const national = groups.slice(-3);
    return (
      (groups.length === 3 || /^(?:1|001)$/.test(first.digits)) && /^[2-9]/.test(national[0]?.digits ?? "")
    );
  }
  const isTrunk =
    !/\d $/.test(windowBefore(run.text, run.start, 2)) &&
    /^0[1-9]\d{0,3}$/.test(first.digits) &&
    count >= 9 &&
    count <= 12 &&
    hasSeparators(groups, " -./");
  if (!isTrunk || groups.length < 2) return false;
  const isPairs = groups.every(({ digits: pair }) => pair.length <= 2);
  return isPairs ? lengths === "2 2 2 2 2" : groups.slice(1).every(({ digits: part }) => part.length >= 2);
};

/** "x459" or " ext. 459" behind a phone number. */
const extension = /(?: {0,2}(?:x|ext\.?) {0,1})\d{1,6}/iy;

const skipExtension = (text: string, end: number): number => {
  extension.lastIndex = end;
  return extension.test(text) ? extension.lastIndex : end;
};

/** ":8080" or "/24" behind an IP address. */
const port = /[:/]\d{1,5}/y;

const skipPort = (text: string, end: number): number => {
  port.lastIndex = end;
  return port.test(text) ? port.lastIndex : end;
};

type Test = (run: Run, groups: readonly Group[]) => boolean;
const tests: readonly (readonly [HiddenKind, Test])[] = [
  ["ip", (_run, groups) => isAddress(groups)],
  ["ssn", isSsnRun],
  ["card", isCardRun],
  ["phone", isPhoneRun],
];

/** What the digits that begin at `at` are, and where to look on. Whichever kinds are wanted: an SSN is never taken for a phone number. */
export const findNumber = (text: string, at: number): { readonly found?: Finding; readonly next: number } => {
  const run = readRun(text, at);
  const [first] = run.groups;
  const firstEnd = first?.end ?? at + 1;
  if (isJoinedBefore(text, run.start)) return { next: firstEnd };
  const dated = countDate(run.groups);
  if (dated > 0) return { next: run.groups[dated - 1]?.end ?? firstEnd };
  for (let count = run.groups.length; count > 0; count--) {
    const groups = run.groups.slice(0, count);
    // Only an IP address has so few digits.
    if (count < 4 && digitsOf(groups).length < 7) break;
    const last = groups.at(-1)?.end ?? firstEnd;
    for (const [kind, test] of tests) {
      if (!test(run, groups)) continue;
      const end = kind === "phone" ? skipExtension(text, last) : last;
      if (!isJoinedAfter(text, kind === "ip" ? skipPort(text, end) : end))
        return { found: { start: run.start, end, kind }, next: end };
    }
  }
  // In a long list of small numbers nothing starts later.
  const isList = run.groups.length === maxGroups && run.groups.every(({ digits }) => digits.length <= 2);
  return { next: isList ? (run.groups.at(-1)?.end ?? firstEnd) : firstEnd };
};

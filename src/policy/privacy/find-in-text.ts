// Finds personal values in a text by their form, in one pass with bounded lookahead and lookbehind.
import { ibanLengthOf, isIban } from "./check-digits.js";
import { findNumber, isWordCode } from "./find-numbers.js";
import { type Finding, findPrivacyTokens, type HiddenKind, isDigit, isLetter } from "./kinds.js";

const maxLocal = 64;
const maxDomain = 253;
const isLocalCode = (code: number): boolean =>
  isWordCode(code) || ".%+-'!#$&*/=?^`{|}~".includes(String.fromCharCode(code));
const isDomainCode = (code: number): boolean =>
  (isWordCode(code) && code !== 95) || code === 45 || code === 46;
/** `icon@2x.png` is a file, and `members@odata.bind` a name of OData. */
const fileEndings =
  /^(?:png|jpe?g|gif|svg|webp|avif|ico|js|mjs|cjs|ts|tsx|jsx|css|json|html?|txt|pdf|map|lock)$/i;

/** The address around the @ at `at`. */
const findEmail = (text: string, at: number, from: number): Finding | undefined => {
  let start = at;
  while (start > from && at - start < maxLocal && isLocalCode(text.charCodeAt(start - 1))) start--;
  // Marks in front are punctuation, and so is the path of an address.
  for (let back = at - 1; back >= start; back--) if ("/={`'|".includes(text.charAt(back))) start = back + 1;
  while (start < at && !isWordCode(text.charCodeAt(start)) && text[start] !== "+") start++;
  let end = at + 1;
  while (end < text.length && end - at <= maxDomain && isDomainCode(text.charCodeAt(end))) end++;
  while (end > at + 1 && (text[end - 1] === "." || text[end - 1] === "-")) end--;
  const domain = text.slice(at + 1, end);
  const dot = domain.lastIndexOf(".");
  const top = domain.slice(dot + 1);
  if (
    start === at ||
    dot < 1 ||
    domain.includes("..") ||
    top.length < 2 ||
    /\d/.test(top) ||
    fileEndings.test(top) ||
    domain === "odata.bind"
  )
    return undefined;
  const before = text.slice(Math.max(0, start - 80), start);
  // A password in an address of a server, and a repository over SSH.
  if (
    /:\/\/[^\s/]{0,70}:$/.test(before) ||
    (/^git$/i.test(text.slice(start, at)) && (text[end] === ":" || before.endsWith("://")))
  )
    return undefined;
  return { start, end, kind: "email" };
};

const maxIban = 34;

const findIban = (text: string, at: number): Finding | undefined => {
  const length = ibanLengthOf(text.slice(at, at + 2));
  if (length === undefined) return undefined;
  let end = at;
  let count = 0;
  for (; end < text.length && end - at < maxIban + 12 && count < length; end++) {
    const code = text.charCodeAt(end);
    if (isDigit(code) || isLetter(code)) count++;
    else if (text[end] !== " " || (end - at + 1) % 5 !== 0) return undefined;
  }
  if (count !== length || isWordCode(text.charCodeAt(end))) return undefined;
  return isIban(text.slice(at, end).replaceAll(" ", "")) ? { start: at, end, kind: "iban" } : undefined;
};

const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
const maxAddress = 45;

const findIpv6 = (text: string, at: number): Finding | undefined => {
  let end = at;
  while (end < text.length && end - at < maxAddress && (isHex(text.charCodeAt(end)) || text[end] === ":"))
    end++;
  if (text[end - 1] === ":" && text[end - 2] !== ":") end--;
  if (isWordCode(text.charCodeAt(end))) return undefined;
  const written = text.slice(at, end);
  const halves = written.split("::");
  const groups = written.split(":").filter((group) => group !== "");
  const isWhole = halves.length === 1 && groups.length === 8;
  const isShort = halves.length === 2 && groups.length >= 3 && groups.length <= 7 && /\d/.test(written);
  return (isWhole || isShort) && groups.every((group) => group.length <= 4)
    ? { start: at, end, kind: "ip" }
    : undefined;
};

/** The prefixes of keys of known services, with the minimum length of a whole key. */
const secretPrefixes: readonly (readonly [string, number])[] = [
  ["sk-", 20],
  ["sk_live_", 20],
  ["sk_test_", 20],
  ["rk_live_", 20],
  ["pk_live_", 20],
  ["ghp_", 36],
  ["gho_", 36],
  ["ghu_", 36],
  ["ghs_", 36],
  ["ghr_", 36],
  ["github_pat_", 40],
  ["glpat-", 20],
  ["xoxb-", 20],
  ["xoxp-", 20],
  ["xoxa-", 20],
  ["xoxs-", 20],
  ["xapp-", 20],
  ["AKIA", 20],
  ["ASIA", 20],
  ["AIza", 39],
  ["npm_", 36],
  ["pypi-", 40],
  ["hf_", 34],
  ["SG.", 40],
  ["ya29.", 30],
  ["dop_v1_", 40],
  ["shpat_", 36],
  ["shpss_", 36],
  ["eyJ", 40],
  ["lin_api_", 40],
];
const secretStarts = new Set(secretPrefixes.map(([prefix]) => prefix.charCodeAt(0)));
const maxSecret = 4096;
const isSecretCode = (code: number): boolean =>
  isDigit(code) || isLetter(code) || code === 95 || code === 45 || code === 46;

const findSecret = (text: string, at: number): Finding | undefined => {
  if (!secretStarts.has(text.charCodeAt(at))) return undefined;
  const known = secretPrefixes.find(([prefix]) => text.startsWith(prefix, at));
  if (known === undefined) return undefined;
  let end = at;
  while (end < text.length && end - at < maxSecret && isSecretCode(text.charCodeAt(end))) end++;
  while (text[end - 1] === ".") end--;
  const written = text.slice(at, end);
  // A JWT has three parts.
  const isWhole = known[0] !== "eyJ" || written.split(".").length === 3;
  // Words joined by hyphens have no digits.
  return written.length >= known[1] && isWhole && /\d/.test(written.slice(known[0].length))
    ? { start: at, end, kind: "secret" }
    : undefined;
};

const keyBegin = "-----BEGIN ";
const keyEnd = "-----END ";

const findPrivateKey = (text: string, at: number): Finding | undefined => {
  if (!text.startsWith(keyBegin, at) || !text.slice(at, at + 60).includes("PRIVATE KEY")) return undefined;
  const close = text.indexOf(keyEnd, at);
  const stop = close < 0 ? text.length : text.indexOf("-----", close + keyEnd.length);
  return { start: at, end: stop < 0 ? text.length : Math.min(text.length, stop + 5), kind: "secret" };
};

/** `Ann Lee <ann@acme.com>`, with or without quotation marks. */
const nameBefore =
  /(?:^|[\s,;:>"'(])("?)(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){0,3})\1 {0,2}<$/u;
/** `Name: Ann Lee` on a line of its own. */
const labelled =
  /(?:^|\n)[ \t>*-]{0,6}(?:full |customer |contact |first |last |display )?name[ \t*]{0,3}:[ \t*]{0,4}(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){0,4})[ \t*]{0,4}(?=\r?\n|$|,|;)/giu;
const maxNameText = 100_000;

const findNames = (text: string, emails: readonly Finding[], found: Finding[]): void => {
  for (const { start } of emails) {
    if (text[start - 1] !== "<") continue;
    const from = Math.max(0, start - 130);
    const before = nameBefore.exec(text.slice(from, start));
    if (before?.[2] === undefined) continue;
    const nameStart = from + before.index + before[0].indexOf(before[2]);
    found.push({ start: nameStart, end: nameStart + before[2].length, kind: "name" });
  }
  if (!text.includes(":") || !/name/i.test(text)) return;
  for (const match of text.slice(0, maxNameText).matchAll(labelled)) {
    const [whole, name = ""] = match;
    const start = match.index + whole.indexOf(name, whole.indexOf(":"));
    found.push({ start, end: start + name.length, kind: "name" });
  }
};

const noneFound: readonly Finding[] = [];
/** ISO 8601 times and UUIDs are common, so they are skipped early. */
const technical =
  /^\d{4}-\d\d-\d\dT[\d:.]{1,20}(?:Z|[+-]\d\d:?\d\d)?$|^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const maxTechnical = 40;
/** Every value with a form contains one of these characters. */
const hasForm = /[@[\d]|-----/;

/** Personal values and look-alikes of tokens, in order, without overlaps. */
export const findInText = (text: string, kinds: ReadonlySet<HiddenKind>): readonly Finding[] => {
  if (!hasForm.test(text) && !(kinds.has("name") && text.includes(":"))) return noneFound;
  if (text.length <= maxTechnical && technical.test(text)) return noneFound;
  const found: Finding[] = [];
  const emails: Finding[] = [];
  for (const { start, end } of text.includes("[") ? findPrivacyTokens(text) : [])
    found.push({ start, end, kind: "quoted" });
  let last = 0;
  const add = (finding: Finding): number => {
    last = finding.end;
    found.push(finding);
    return finding.end;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 64) {
      const email = findEmail(text, at, last);
      if (email !== undefined) {
        emails.push(email);
        at = add(email);
      } else at++;
    } else if (isDigit(code)) {
      const address = text[at - 1] === ":" ? undefined : readAddress(text, at, kinds);
      if (address !== undefined) {
        at = add(address);
        continue;
      }
      const { found: number, next } = findNumber(text, at);
      if (number !== undefined) add(number);
      at = Math.max(next, at + 1);
    } else if (isLetter(code)) {
      const isStart = at === 0 || !isWordCode(text.charCodeAt(at - 1));
      const word = isStart ? findWord(text, at, kinds) : undefined;
      if (word !== undefined) {
        at = add(word);
        continue;
      }
      // The rest of the word holds no start.
      at++;
      while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
    } else if (code === 45 && kinds.has("secret") && text.startsWith(keyBegin, at)) {
      const key = findPrivateKey(text, at);
      at = key === undefined ? at + 1 : add(key);
    } else at++;
  }
  if (kinds.has("name")) findNames(text, emails, found);
  return withoutOverlaps(found.filter(({ kind }) => kind === "quoted" || kinds.has(kind)));
};

const findWord = (text: string, at: number, kinds: ReadonlySet<HiddenKind>): Finding | undefined => {
  if (kinds.has("iban") && isDigit(text.charCodeAt(at + 2)) && isDigit(text.charCodeAt(at + 3))) {
    const iban = findIban(text, at);
    if (iban !== undefined) return iban;
  }
  return (kinds.has("secret") ? findSecret(text, at) : undefined) ?? readAddress(text, at, kinds);
};

/** An IP address of version 6: its first colon comes soon. */
const readAddress = (text: string, at: number, kinds: ReadonlySet<HiddenKind>): Finding | undefined => {
  if (!kinds.has("ip") || (at > 0 && isWordCode(text.charCodeAt(at - 1)))) return undefined;
  let colon = at;
  while (colon < at + 5 && isHex(text.charCodeAt(colon))) colon++;
  return text[colon] === ":" ? findIpv6(text, at) : undefined;
};

/** The first finding wins, and of two that start together the longer one. */
export const withoutOverlaps = <Found extends Pick<Finding, "start" | "end">>(
  found: readonly Found[],
): readonly Found[] => {
  const sorted = [...found].sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return sorted.filter((finding) => {
    if (finding.start < end || finding.end <= finding.start) return false;
    end = finding.end;
    return true;
  });
};

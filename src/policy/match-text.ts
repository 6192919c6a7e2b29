// Patterns on texts: plain text, e-mail addresses, web addresses and file paths. Every matcher takes linear time. The answer is yes, no or
// unknown. What cannot be decided never allows a call.
import { domainToASCII } from "node:url";

export type Certainty = "yes" | "no" | "unknown";

export const not = (value: Certainty): Certainty =>
  value === "unknown" ? "unknown" : value === "yes" ? "no" : "yes";

/** One "no" decides; "yes" for an empty list. */
export const every = (values: Iterable<Certainty>): Certainty => {
  let result: Certainty = "yes";
  for (const value of values) {
    if (value === "no") return "no";
    if (value === "unknown") result = "unknown";
  }
  return result;
};

/** One "yes" decides; "no" for an empty list. */
export const some = (values: Iterable<Certainty>): Certainty => {
  let result: Certainty = "no";
  for (const value of values) {
    if (value === "yes") return "yes";
    if (value === "unknown") result = "unknown";
  }
  return result;
};

/** `exact`: certain. `loose`: only equal if case, width or invisible characters are ignored, which the server may or may not do. */
export const fromMatches = (exact: boolean, loose: boolean): Certainty =>
  exact ? "yes" : loose ? "unknown" : "no";

/** Paths with more segments are never matched either. */
const maxSegments = 256;

/** Longer texts are never matched: what a rule says about them is unknown. */
export const maxLength = 8192;

/** Matches the parts between the stars: `*` matches any text. */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const [head = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return text === pattern;
  const tail = parts.pop() ?? "";
  if (!text.startsWith(head) || text.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - at >= tail.length && text.endsWith(tail);
};

const invisible = /[\p{Cf}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const isPlain = /^[!-~]*$/;

/** The text as a lenient parser sees it: without case, width and invisible characters. */
export const toLoose = (text: string): string =>
  // An invisible character may separate a letter from its accent, so it is removed first.
  (isPlain.test(text) ? text : text.replace(invisible, "").normalize("NFKC").trim()).toLowerCase();

const matchesLoosely = (pattern: string, text: string): Certainty =>
  matchesGlob(pattern.normalize("NFC"), text.normalize("NFC"))
    ? "yes"
    : fromMatches(false, matchesGlob(toLoose(pattern), toLoose(text)));

/** A text and its pattern, such as `main` or `release-*`. */
export const matchText = (pattern: string, text: string): Certainty =>
  text.length > maxLength ? "unknown" : matchesLoosely(pattern, text);

/** Consecutive rules compare the same few values. */
const maxRemembered = 32;

/** Parsing a value once for all rules makes the slowest 1 % of decisions in `npm run bench -- policy` 1.5 times as fast. */
const remember = <Result>(read: (text: string) => Result): ((text: string) => Result) => {
  const known = new Map<string, { readonly result: Result }>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = { result: read(text) };
      if (known.size >= maxRemembered) known.clear();
      known.set(text, found);
    }
    return found.result;
  };
};

/** One plain address, alone or as `Name <address>`. Anything else may hide a second recipient. */
const address =
  /^(?:[^<>@,;:"\\\p{Cc}]{0,200}<)?([^\s<>@,;:"\\()]{1,200})@([^\s<>@,;:"\\()/?#%]{1,255}?)\.?(>)?$/u;

const toAddress = remember((text): { readonly local: string; readonly domain: string } | undefined => {
  const [found, local = "", name = "", close] = address.exec(text.trim()) ?? [];
  if (found === undefined || found.includes("<") !== (close !== undefined)) return undefined;
  const domain = domainToASCII(name);
  return domain === "" ? undefined : { local: local.toLowerCase(), domain };
});

/** `*@acme.com`, `ann@*.acme.com`: the parts before and after the @ are compared separately. */
export const matchAddress = (pattern: string, text: string): Certainty => {
  const found = text.length > maxLength ? undefined : toAddress(text);
  if (found === undefined) return "unknown";
  const at = pattern.lastIndexOf("@");
  if (!matchesGlob(toHostPattern(pattern.slice(at + 1)), found.domain)) return "no";
  const wanted = pattern.slice(0, at).toLowerCase();
  // Many servers deliver `ann+news@` to `ann@`.
  const [box = ""] = found.local.split("+", 1);
  return some([
    matchesLoosely(wanted, found.local),
    box !== found.local && matchesLoosely(wanted, box) !== "no" ? "unknown" : "no",
  ]);
};

/** The parts of a host's name as addresses contain them. A part with a star cannot be converted. */
const toHostPattern = remember((host): string =>
  host
    .toLowerCase()
    .split(".")
    .map((part) => (part.includes("*") || isPlain.test(part) ? part : domainToASCII(part)))
    .join("."),
);

/** `https://*.acme.com/docs/**`: scheme, host, port and path are compared separately. Another scheme or port of the same host is unknown. */
export const matchUrl = (pattern: string, text: string): Certainty => {
  const parts = urlPattern.exec(pattern);
  const url = parts === null || text.length > maxLength ? undefined : toUrl(text);
  if (parts === null || url === undefined) return "unknown";
  const [, scheme = "*", host = "", port = "", path] = parts;
  const { name } = url;
  if (!matchesGlob(toHostPattern(host), name)) return "no";
  const isSameScheme = matchesGlob(scheme.toLowerCase(), url.protocol.slice(0, -1));
  const isSamePort = port === "*" || url.port === port || toDefaultPort(url.protocol) === port;
  const found = path === undefined ? "yes" : matchUrlPath(path, url.pathname);
  return isSameScheme && isSamePort ? found : every(["unknown", found]);
};

interface ReadUrl extends Readonly<Pick<URL, "protocol" | "port" | "pathname">> {
  /** The host as it is compared. */
  readonly name: string;
}

/** Undefined if parsers may disagree on its meaning. */
const toUrl = remember((text): ReadUrl | undefined => {
  const url = URL.parse(text);
  // Parsers disagree on what comes before an @.
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const { hostname, protocol, port, pathname } = url;
  // `acme.com:80/a` has no host for us, `view-source:https://acme.com` contains another address.
  if (hostname === "" && !hostless.has(protocol)) return undefined;
  // The names in schemes that we do not know are not normalized yet.
  const name = (domainToASCII(hostname) || hostname.toLowerCase()).replace(/\.$/, "");
  return { name, protocol, port, pathname };
});

const urlPattern = /^([a-z0-9+.*-]+):\/\/(\[[^\]/]*\]|[^/:@[\]]*)(?::(\d+|\*))?(\/.*)?$/i;
const hostless = new Set(["about:", "data:", "file:", "mailto:", "tel:", "urn:"]);

/** `%61dmin` is `admin` for every server. What may be a separator for one server and not for another is unknown. */
const matchUrlPath = (pattern: string, path: string): Certainty => {
  try {
    const segments = toSegments(path).map(decodeURIComponent);
    if (segments.length > maxSegments) return "unknown";
    if (segments.some((segment) => segment === ".." || /[/\\;%\p{Cc}]/u.test(segment))) return "unknown";
    return matchSegments(toSegments(pattern).map(decodeURIComponent), segments);
  } catch {
    return "unknown";
  }
};

const toDefaultPort = (protocol: string): string | undefined =>
  protocol === "https:" ? "443" : protocol === "http:" ? "80" : undefined;

const toSegments = (path: string): readonly string[] => path.split("/").filter((part) => part !== "");

/** `**` matches any number of segments. */
const matchSegments = (pattern: readonly string[], segments: readonly string[]): Certainty => {
  const matchOne = (at: number, wanted: string): Certainty => matchesLoosely(wanted, segments[at] ?? "");
  const parts: (readonly string[])[] = [[]];
  for (const segment of pattern) {
    if (segment === "**") parts.push([]);
    else parts[parts.length - 1] = [...(parts.at(-1) ?? []), segment];
  }
  const matchAt = (part: readonly string[], from: number): Certainty =>
    from < 0 || from + part.length > segments.length
      ? "no"
      : every(part.map((wanted, offset) => matchOne(from + offset, wanted)));
  const [head = [], ...rest] = parts;
  const start = matchAt(head, 0);
  if (start === "no") return "no";
  if (rest.length === 0) return segments.length === head.length ? start : "no";
  const tail = rest.pop() ?? [];
  const end = segments.length - tail.length;
  let result = every([start, matchAt(tail, end)]);
  let at = head.length;
  if (end < at) return "no";
  for (const part of rest) {
    let found: Certainty = "no";
    for (; at + part.length <= end && found === "no"; at++) found = matchAt(part, at);
    if (found === "no") return "no";
    at += part.length - 1;
    result = every([result, found]);
  }
  return result;
};

const isAbsolute = (path: string): boolean => path.startsWith("/") || /^[a-z]:\//i.test(path);

/** The segments of a path; undefined for what may lead elsewhere: `..`, `~`, variables, escapes. */
const toPath = remember(
  (text): { readonly segments: readonly string[]; readonly isAbsolute: boolean } | undefined => {
    const path = text.replace(/^file:\/\/(?=\/)/, "").replaceAll("\\", "/");
    const segments = toSegments(path).filter((part) => part !== ".");
    const isUnclear =
      segments.length > maxSegments ||
      segments.some((segment) => toLoose(segment) === "..") ||
      /^~|[$%\p{Cc}]/u.test(path) ||
      /^[a-z][a-z0-9+.-]+:/i.test(path);
    return isUnclear ? undefined : { segments, isAbsolute: isAbsolute(path) };
  },
);

/** `/data/**`, `**` + `/.ssh/**`, `reports/*.csv`. */
export const matchPath = (pattern: string, text: string): Certainty => {
  const path = text.length > maxLength ? undefined : toPath(text);
  if (path === undefined) return "unknown";
  const isAnywhere = pattern.startsWith("**");
  if (!isAnywhere && isAbsolute(pattern) !== path.isAbsolute) return "unknown";
  return matchSegments(toSegments(pattern), path.segments);
};

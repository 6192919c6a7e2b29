// Replaces personal values in an answer by tokens. The answer is JSON, or any text.
import { labelsAt, type SourceLabels } from "../flows/labels.js";
import { judgeField, readField } from "./fields.js";
import { findInText, withoutOverlaps } from "./find-in-text.js";
import type { Finding, HiddenKind } from "./kinds.js";
import { type JsonLeaf, type JsonReader, looksLikeJson, scanJson } from "./scan-json.js";
import { PrivacyTokenMap } from "./token-map.js";

export interface HideOptions {
  readonly kinds: ReadonlySet<HiddenKind>;
  readonly scope: string;
  /** The server that the text comes from. */
  readonly origin: string;
  /** Fields whose kind the tool declares. */
  readonly declared?: ReadonlyMap<string, HiddenKind> | undefined;
  /** The labels of what the tool answers. */
  readonly source?: SourceLabels | undefined;
}

/** There are more personal values than can be remembered. */
export class TooManyValues extends Error {}

/** A text or number in JSON, or the whole text, and what is hidden in it. */
interface Part {
  /** What is written there, without escapes. */
  readonly content: string;
  readonly leaf?: JsonLeaf | undefined;
  readonly found: readonly Replaced[];
  /** Its content is JSON itself. */
  readonly inner?: readonly Part[] | undefined;
}

interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly token: string;
}

/** Answers of servers contain JSON as text, which may contain JSON again. */
const maxNesting = 4;
/** Images, sound and other binary content. Nothing that is found by its form is that long without a separator. */
const binary = /^[\w+/=-]*$/;
const minBinary = 200;

/** The text with tokens. Fills the map with values that are new. */
export const hideInText = (text: string, map: PrivacyTokenMap, options: HideOptions): string => {
  const context: HideContext = { ...options, map };
  // Every value gets its token first: a name in a field is then found in the texts before it.
  const parts = toParts(text, context, maxNesting);
  return write(text, parts, context);
};

interface HideContext extends HideOptions {
  readonly map: PrivacyTokenMap;
  /** What another detector finds in a text. Undefined: our own detectors look. */
  readonly find?: ((text: string) => readonly Finding[]) | undefined;
}

/** Each text in an answer once, as another detector is to read it. */
export const listTexts = (text: string, options: HideOptions): readonly string[] => {
  const texts = new Set<string>();
  const find = (content: string): readonly Finding[] => {
    texts.add(content);
    return [];
  };
  toParts(text, { ...options, map: new PrivacyTokenMap(), find }, maxNesting);
  return [...texts];
};

/** The text with tokens for what another detector found in each of its texts. */
export const hideFound = (
  text: string,
  map: PrivacyTokenMap,
  options: HideOptions,
  found: ReadonlyMap<string, readonly Finding[]>,
): string => {
  const context: HideContext = { ...options, map, find: (content) => found.get(content) ?? [] };
  return write(text, toParts(text, context, maxNesting), context);
};

const findIn = (content: string, { find, kinds }: HideContext): readonly Finding[] =>
  find?.(content) ?? findInText(content, kinds);

const reader: JsonReader = {
  isPersonal: (field) => readField(field).isPersonal === true,
  isKeyRead: (field) => /[@\d[ ]/.test(field),
  isNumberRead: (field) => readField(field).kind !== undefined,
};

const toParts = (text: string, context: HideContext, nesting: number): readonly Part[] => {
  const leaves = nesting > 0 && looksLikeJson.test(text) ? scanJson(text, reader) : undefined;
  if (leaves !== undefined)
    try {
      return leaves.map((leaf) => toPart(text, leaf, context, nesting));
    } catch (thrown) {
      // An escape that JSON does not have: it is some other text.
      if (!(thrown instanceof SyntaxError)) throw thrown;
    }
  return [{ content: text, found: replace(text, findIn(text, context), context, undefined) }];
};

const noneFound: readonly Replaced[] = [];

const toPart = (text: string, leaf: JsonLeaf, context: HideContext, nesting: number): Part => {
  const written = text.slice(leaf.start, leaf.end);
  if (written.length >= minBinary && binary.test(written)) return { content: "", leaf, found: noneFound };
  const content = leaf.hasEscapes ? (JSON.parse(`"${written}"`) as string) : written;
  if (leaf.isText && !leaf.isKey && looksLikeJson.test(content))
    return { content, leaf, found: noneFound, inner: toParts(content, context, nesting - 1) };
  const found = leaf.isText ? findIn(content, context) : [];
  const kind = leaf.isKey || context.find !== undefined ? undefined : judge(content, leaf, context);
  // The form is certain, the name of a field only a hint: a kind found by form wins.
  const isWhole = found.some((one) => one.kind === "quoted" || one.end - one.start >= content.trim().length);
  if (kind === undefined || isWhole) return { content, leaf, found: replace(content, found, context, leaf) };
  const whole = { start: content.search(/\S/), end: content.trimEnd().length, kind };
  return { content, leaf, found: replace(content, [whole], context, leaf) };
};

const judge = (
  content: string,
  { field: name, around: outer, object }: JsonLeaf,
  { kinds, declared }: HideContext,
): HiddenKind | undefined => {
  const field = readField(name);
  const hint = declared?.get(name);
  if (hint === undefined && field.kind === undefined && field.isName !== true && field.isPerson !== true)
    return undefined;
  const place = { field, around: readField(outer), isPersonal: object.isPersonal, declared: hint };
  return judgeField(content.trim(), place, kinds);
};

const replace = (
  content: string,
  found: readonly Finding[],
  context: HideContext,
  leaf: JsonLeaf | undefined,
): readonly Replaced[] => {
  if (found.length === 0) return noneFound;
  const { map, scope, origin } = context;
  const labels = toLabels(context.source, leaf);
  return found.map(({ start, end, kind }) => {
    const token = map.hide(scope, kind, content.slice(start, end), origin, labels);
    if (token === undefined) throw new TooManyValues();
    return { start, end, token };
  });
};

/** Only the two nearest names of a value are known, and none in plain text. A label that may be wrong is marked. */
const toLabels = (source: SourceLabels | undefined, leaf: JsonLeaf | undefined): readonly string[] => {
  if (source === undefined) return [];
  const { whole, fields } = source;
  if (fields.length === 0) return [...whole];
  if (leaf === undefined || leaf.isKey) return [...whole, ...fields.map(({ label }) => `${label}?`)];
  const near = fields.map(({ path, label }) =>
    path.length <= 2 ? { path, label } : { path: path.slice(-2), label: `${label}?` },
  );
  return [...labelsAt({ whole, fields: near }, [leaf.around, leaf.field])];
};

const write = (text: string, parts: readonly Part[], context: HideContext): string => {
  const pieces: string[] = [];
  let at = 0;
  for (const part of parts) {
    const hidden = writePart(part, context);
    if (hidden === part.content) continue;
    const { leaf } = part;
    if (leaf === undefined) return hidden;
    const written = leaf.hasEscapes ? JSON.stringify(hidden).slice(1, -1) : hidden;
    pieces.push(text.slice(at, leaf.start), leaf.isText ? written : `"${written}"`);
    at = leaf.end;
  }
  if (at === 0) return text;
  pieces.push(text.slice(at));
  return pieces.join("");
};

const writePart = (part: Part, context: HideContext): string => {
  const { content, inner } = part;
  if (inner !== undefined) return write(content, inner, context);
  const [only] = part.found;
  // Most fields with a personal value have nothing else.
  if (only !== undefined && only.start === 0 && only.end === content.length) return only.token;
  const seen = findSeen(part, context);
  const found = seen.length === 0 ? part.found : withoutOverlaps([...part.found, ...seen]);
  if (found.length === 0) return content;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, token } of found) {
    pieces.push(content.slice(at, start), token);
    at = end;
  }
  pieces.push(content.slice(at));
  return pieces.join("");
};

/** A key of an object is replaced only as a whole: programs read fields by their names. */
const findSeen = ({ content, leaf }: Part, context: HideContext): readonly Replaced[] => {
  const { map, scope, kinds } = context;
  if (leaf?.isText === false || !map.hasSeen(scope)) return noneFound;
  const seen = map.findSeen(scope, content, kinds);
  if (seen.length === 0) return noneFound;
  return replace(
    content,
    leaf?.isKey === true ? seen.filter(({ start, end }) => end - start === content.length) : seen,
    context,
    leaf,
  );
};

// The outline of a catalog within a token budget, and what a tool's description says: purpose, result, deprecation.
import type { CatalogOutline, ServerCatalog, Tool } from "../contracts/index.js";

interface OutlineRequest {
  /** The identifiers of all usable servers, in the order of the configuration. */
  readonly identifiers: readonly string[];
  /** The known catalogs. Other servers appear by name only. */
  readonly catalogs: readonly ServerCatalog[];
  /** Budget for names and signatures together, as tokens of a JSON text. */
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  /** How often a tool was called. */
  readonly countUses: (tool: Tool) => number;
  /** The line for a tool. */
  readonly renderLine: (catalog: ServerCatalog, tool: Tool) => string;
}

/** Share of the budget that names may take. */
const nameShare = 0.7;
/** Share of the budget for the names of servers whose tools are not known. */
const unknownShare = 0.05;
/** Hardly any signature is shorter. */
const minTokens = 6;
/** Bounds the search for signatures that still fit. */
const maxTried = 200;

type CountTokens = OutlineRequest["countTokens"];

/** The tokens of a line inside a JSON text, with its line break. */
const countLine = (countTokens: CountTokens, line: string): number =>
  countTokens(JSON.stringify(`\n${line}`).slice(1, -1));

const fitNames = (identifiers: readonly string[], maxTokens: number, countTokens: CountTokens): string => {
  const shown: string[] = [];
  let left = maxTokens - countTokens(` and ${identifiers.length} more`);
  for (const identifier of identifiers) {
    left -= countTokens(`, ${identifier}`);
    if (left < 0 && shown.length > 0) break;
    shown.push(identifier);
  }
  const missing = identifiers.length - shown.length;
  return `${shown.join(", ") || "none"}${missing > 0 ? ` and ${missing} more` : ""}`;
};

const deprecatedLast = (tools: readonly Tool[]): readonly Tool[] => {
  const deprecated = new Set(tools.filter(isDeprecated));
  return deprecated.size === 0 ? tools : [...tools.filter((tool) => !deprecated.has(tool)), ...deprecated];
};

/** One tool of each server in turn, the most used first and deprecated ones last; ties in the servers' order. */
function* takeTurns({ catalogs, countUses }: OutlineRequest): Generator<readonly [ServerCatalog, Tool]> {
  const queues = catalogs
    .map((catalog) => {
      const counted = catalog.tools.map((tool) => ({ tool, uses: countUses(tool) }));
      counted.sort((left, right) => right.uses - left.uses);
      const tools = deprecatedLast(counted.map(({ tool }) => tool));
      return { catalog, tools, uses: counted.reduce((sum, { uses }) => sum + uses, 0) };
    })
    .sort((left, right) => right.uses - left.uses);
  const maxTools = Math.max(0, ...queues.map(({ tools }) => tools.length));
  for (let turn = 0; turn < maxTools; turn += 1) {
    for (const { catalog, tools } of queues) {
      const tool = tools[turn];
      if (tool !== undefined) yield [catalog, tool];
    }
  }
}

const fitSignatures = (request: OutlineRequest, maxTokens: number): ReadonlyMap<Tool, string> => {
  const shown = new Map<Tool, string>();
  let left = maxTokens;
  let tried = 0;
  for (const [catalog, tool] of takeTurns(request)) {
    tried += 1;
    if (left < minTokens || tried > maxTried) break;
    const line = request.renderLine(catalog, tool);
    const tokens = countLine(request.countTokens, line);
    if (tokens > left) continue;
    shown.set(tool, line);
    left -= tokens;
  }
  // Joined lines can take slightly more tokens than single ones.
  for (const last of [...shown.keys()].reverse()) {
    if (countLine(request.countTokens, [...shown.values()].join("\n")) <= maxTokens) break;
    shown.delete(last);
  }
  return shown;
};

/** The same catalogs and counts give the same text. */
export const renderOutline = (request: OutlineRequest): CatalogOutline => {
  const { identifiers, catalogs, maxTokens, countTokens } = request;
  const names = fitNames(identifiers, Math.floor(maxTokens * nameShare), countTokens);
  const known = new Set(catalogs.map(({ identifier }) => identifier));
  const unknown = identifiers.filter((identifier) => !known.has(identifier));
  const unknownNames =
    unknown.length === 0 ? "" : fitNames(unknown, Math.floor(maxTokens * unknownShare), countTokens);
  const shown = fitSignatures(request, maxTokens - countTokens(names) - countTokens(unknownNames));
  const tools = catalogs.flatMap((catalog) => deprecatedLast(catalog.tools));
  return {
    names,
    signatures: tools.flatMap((tool) => shown.get(tool) ?? []),
    knownTools: tools.length,
    unknownServers: unknown.length,
    unknownNames,
    isComplete: shown.size === tools.length && unknown.length === 0,
  };
};

type Described = Pick<Tool, "name" | "description">;

const maxRead = 4000;
const maxSentences = 12;
const maxPurpose = 80;
/** With the sentence that tells two similar tools apart. */
const maxApart = 200;
/** Share of common words from which two sentences say the same. */
const alike = 0.6;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

const toSentences = (description: string): readonly string[] =>
  description
    .slice(0, maxRead)
    .split(/\n[ \t]{0,40}\n|(?<=[.!?])\s/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "")
    .slice(0, maxSentences);

const toWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** The share of the words of `one` that `other` has. */
const shareOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length / Math.max(one.size, 1);

interface ReadTool {
  readonly sentences: readonly string[];
  readonly first: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const isTwin = (one: ReadTool, other: ReadTool): boolean =>
  one !== other && Math.min(shareOf(one.first, other.first), shareOf(other.first, one.first)) >= alike;

/** The purpose of each tool in its first sentence; where two are alike, also the sentence that only one of them has; of a deprecated one, its warning. */
export const describePurposes = <Item extends Described>(
  tools: readonly Item[],
): ReadonlyMap<Item, string> => {
  const read = tools.map(({ description }): ReadTool => {
    const sentences = toSentences(description);
    return { sentences, first: toWords(sentences[0] ?? ""), all: toWords(description.slice(0, maxRead)) };
  });
  return new Map(
    tools.map((tool, at) => {
      const own = read[at] as ReadTool;
      const [first = "", ...rest] = own.sentences;
      const twins = read.filter((other) => isTwin(own, other));
      // What replaces a deprecated tool is part of its purpose.
      const warning = isDeprecated(tool) ? rest.find((sentence) => /deprecated/i.test(sentence)) : undefined;
      const apart =
        warning ??
        (twins.length === 0
          ? undefined
          : rest.find((sentence) => twins.every(({ all }) => shareOf(toWords(sentence), all) < alike)));
      // Two that begin alike may differ in their last words.
      const purpose = cut(first, twins.length === 0 ? maxPurpose : maxApart);
      return [tool, apart === undefined ? purpose : cut(`${purpose} ${apart}`, maxApart)];
    }),
  );
};

/** What the description says about the result; undefined if it says nothing. */
export const readReturns = ({ description }: Described): string | undefined => {
  const found = /\breturns?\b:?\s*([^\n.]{4,160})/i.exec(description.slice(0, maxRead))?.[1]?.trim();
  return found === undefined ? undefined : cut(found, 120);
};

/** Whether the tool itself is called deprecated, not something that it mentions. */
export const isDeprecated = ({ description }: Described): boolean => {
  const text = description.slice(0, maxRead);
  return (
    /\bDEPRECATED\b/.test(text) || /(?:^|[[(*.!\n]\s{0,3})deprecated\b|\b(?:is|now) deprecated\b/i.test(text)
  );
};

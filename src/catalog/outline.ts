// The outline of a catalog within a token budget: the names of all servers, and as many signatures as fit, spread over the servers.
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

/** One tool of each server in turn, the most used first; ties in the servers' order. */
function* takeTurns({ catalogs, countUses }: OutlineRequest): Generator<readonly [ServerCatalog, Tool]> {
  const queues = catalogs
    .map((catalog) => {
      const tools = catalog.tools.map((tool) => ({ tool, uses: countUses(tool) }));
      tools.sort((left, right) => right.uses - left.uses);
      return { catalog, tools, uses: tools.reduce((sum, { uses }) => sum + uses, 0) };
    })
    .sort((left, right) => right.uses - left.uses);
  const maxTools = Math.max(0, ...queues.map(({ tools }) => tools.length));
  for (let turn = 0; turn < maxTools; turn += 1) {
    for (const { catalog, tools } of queues) {
      const entry = tools[turn];
      if (entry !== undefined) yield [catalog, entry.tool];
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
  const tools = catalogs.flatMap((catalog) => catalog.tools);
  return {
    names,
    signatures: tools.flatMap((tool) => shown.get(tool) ?? []),
    knownTools: tools.length,
    unknownServers: unknown.length,
    unknownNames,
    isComplete: shown.size === tools.length && unknown.length === 0,
  };
};

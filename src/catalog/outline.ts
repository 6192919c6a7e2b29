// The catalog within a budget of tokens: every server by name, and as many signatures as fit, fairly over the servers.
import type { CatalogOutline, ServerCatalog, Tool } from "../contracts/index.js";

interface OutlineRequest {
  /** The names of all usable servers in programs, in the order of the configuration. */
  readonly identifiers: readonly string[];
  /** The catalogs that are known; the servers of others are named only. */
  readonly catalogs: readonly ServerCatalog[];
  /** What names and signatures may take together, as tokens of a JSON text. */
  readonly mostTokens: number;
  readonly countTokens: (text: string) => number;
  /** How often a tool was called. */
  readonly countUses: (tool: Tool) => number;
  /** The one line that a tool is shown with. */
  readonly renderLine: (catalog: ServerCatalog, tool: Tool) => string;
}

/** Of the budget: what names may take when they are many. */
const nameShare = 0.7;
/** Of the budget: what the names of servers may take whose tools are not known. */
const unknownShare = 0.05;
/** A shorter signature than this is hardly found. */
const leastTokens = 6;
/** What looking for signatures that still fit may cost. */
const mostTried = 200;

type CountTokens = OutlineRequest["countTokens"];

/** A line as it is counted: inside a JSON text, after the end of the line before. */
const weigh = (countTokens: CountTokens, line: string): number =>
  countTokens(JSON.stringify(`\n${line}`).slice(1, -1));

const fitNames = (identifiers: readonly string[], mostTokens: number, countTokens: CountTokens): string => {
  const shown: string[] = [];
  let left = mostTokens - countTokens(` and ${identifiers.length} more`);
  for (const identifier of identifiers) {
    left -= countTokens(`, ${identifier}`);
    if (left < 0 && shown.length > 0) break;
    shown.push(identifier);
  }
  const missing = identifiers.length - shown.length;
  return `${shown.join(", ") || "none"}${missing > 0 ? ` and ${missing} more` : ""}`;
};

/** One tool of each server in turn, the most used first; the order of equals is the servers' own. */
function* takeTurns({ catalogs, countUses }: OutlineRequest): Generator<readonly [ServerCatalog, Tool]> {
  const queues = catalogs
    .map((catalog) => {
      const tools = catalog.tools.map((tool) => ({ tool, uses: countUses(tool) }));
      tools.sort((left, right) => right.uses - left.uses);
      return { catalog, tools, uses: tools.reduce((sum, { uses }) => sum + uses, 0) };
    })
    .sort((left, right) => right.uses - left.uses);
  const most = Math.max(0, ...queues.map(({ tools }) => tools.length));
  for (let turn = 0; turn < most; turn += 1) {
    for (const { catalog, tools } of queues) {
      const entry = tools[turn];
      if (entry !== undefined) yield [catalog, entry.tool];
    }
  }
}

const fitSignatures = (request: OutlineRequest, mostTokens: number): ReadonlyMap<Tool, string> => {
  const shown = new Map<Tool, string>();
  let left = mostTokens;
  let tried = 0;
  for (const [catalog, tool] of takeTurns(request)) {
    tried += 1;
    if (left < leastTokens || tried > mostTried) break;
    const line = request.renderLine(catalog, tool);
    const tokens = weigh(request.countTokens, line);
    if (tokens > left) continue;
    shown.set(tool, line);
    left -= tokens;
  }
  // Joined, they can be a little more than one by one.
  for (const last of [...shown.keys()].reverse()) {
    if (weigh(request.countTokens, [...shown.values()].join("\n")) <= mostTokens) break;
    shown.delete(last);
  }
  return shown;
};

/** The same catalogs and counts give the same text. */
export const renderOutline = (request: OutlineRequest): CatalogOutline => {
  const { identifiers, catalogs, mostTokens, countTokens } = request;
  const names = fitNames(identifiers, Math.floor(mostTokens * nameShare), countTokens);
  const known = new Set(catalogs.map(({ identifier }) => identifier));
  const unknown = identifiers.filter((identifier) => !known.has(identifier));
  const unknownNames =
    unknown.length === 0 ? "" : fitNames(unknown, Math.floor(mostTokens * unknownShare), countTokens);
  const shown = fitSignatures(request, mostTokens - countTokens(names) - countTokens(unknownNames));
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

// Renders search results and servers that may be added, for a model. Each hit has its purpose, import, signature and a call that runs as it is.
import type { Language } from "../../../contracts/index.js";
import type { AddedServer, OfferedServer, SearchHit, SearchResult } from "../../../coordinator/index.js";

const maxPurposeLength = 80;
/** Characters of full declarations in one answer; later hits show only their signature. */
const maxDeclared = 24_000;

/** Characters that could start another line, or hide one, in a comment. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\s]+/gu;

export const renderSearch = (result: SearchResult, language: Language = "typescript"): string => {
  const { queries } = result;
  const hits = boundDeclarations(result.hits);
  const comment = language === "python" ? "#" : "//";
  const sections = queries.map((query) => {
    const found = hits.filter((hit) => hit.query === query).map((hit) => renderHit(hit, comment));
    const separator = hits.some(({ signature }) => signature !== undefined) ? "\n\n" : "\n";
    if (queries.length === 1) return found.join(separator);
    const title = `${comment} ${toLine(query, 120)}`;
    return found.length === 0 ? `${title}: nothing besides the above` : `${title}:\n${found.join(separator)}`;
  });
  const blocks = sections.filter((section) => section !== "");
  if (hits.length === 0)
    blocks.splice(
      0,
      blocks.length,
      `Nothing found for "${toLine(queries.join('", "'), 200)}" among ${result.total} tools. Try other words.`,
    );
  if (result.unmatchedWords.length > 0) blocks.push(renderUnmatched(result));
  blocks.push(...renderUnavailable(result.unavailable));
  return blocks.join("\n\n");
};

/** Names in one line. */
const maxNamed = 12;

const joinNames = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(", ")}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ""}`;

const renderUnavailable = (unavailable: SearchResult["unavailable"]): readonly string[] => {
  const starting = unavailable.filter(({ isStarting }) => isStarting === true).map(({ server }) => server);
  const installing = unavailable.filter(({ isInstalling }) => isInstalling === true);
  const failed = unavailable.filter(
    ({ isStarting, isInstalling }) => isStarting !== true && isInstalling !== true,
  );
  const reasons = failed.map(({ server, reason }) => `${server} (${toLine(reason, 160)})`);
  const [one, many] = ["server is still starting and was", "servers are still starting and were"];
  return [
    ...(starting.length === 0
      ? []
      : [
          `${starting.length} ${starting.length === 1 ? one : many} not searched: ${joinNames(starting)}. Search again in a moment.`,
        ]),
    ...(installing.length === 0
      ? []
      : [
          `Still being installed, and not searched: ${joinNames(installing.map(({ server }) => server))}. A program that calls one waits for it.`,
        ]),
    ...(failed.length === 0 ? [] : [`Not searched: ${joinNames(reasons)}`]),
  ];
};

const boundDeclarations = (hits: readonly SearchHit[]): readonly SearchHit[] => {
  let left = maxDeclared;
  return hits.map(({ declaration, ...hit }) => {
    left -= declaration?.length ?? 0;
    return declaration === undefined || left < 0 ? hit : { ...hit, declaration };
  });
};

const renderHit = (hit: SearchHit, comment: string): string => {
  const { tool, isWeak, importLine, signature, example, declaration } = hit;
  const weak = isWeak ? ["weak match"] : [];
  if (signature === undefined) return `${hit.call}${isWeak ? ` ${comment} weak match` : ""}`;
  const kind =
    hit.skill !== undefined
      ? `saved skill in ${hit.skill.language === "python" ? "Python" : "TypeScript"}`
      : tool.isReadOnly === true
        ? "read-only"
        : hit.isDestructive === true
          ? "destructive"
          : "may write";
  const purpose = toPurpose(tool.description ?? "");
  const learned = hit.resultFrom === "learned" ? ` ${comment} result learned from answers` : "";
  return [
    `${comment} [${[kind, ...weak].join(", ")}]${purpose === "" ? "" : ` ${purpose}`}`,
    importLine,
    declaration === undefined ? `${signature}${learned}` : declaration.trimEnd(),
    ...(example === undefined ? [] : [example]),
  ].join("\n");
};

const renderUnmatched = ({ unmatchedWords, near }: SearchResult): string => {
  const words = unmatchedWords.slice(0, 8).map((word) => {
    const close = near.find((one) => one.word === word)?.near ?? [];
    return close.length === 0 ? word : `${word} (near: ${close.slice(0, 3).join(", ")})`;
  });
  return `No tool has these words: ${words.join(", ")}`;
};

const toLine = (text: string, maxLength: number): string => {
  const line = text.slice(0, 4000).replace(unseen, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line;
};

/** The first sentence, on one line. */
const toPurpose = (description: string): string => {
  const line = toLine(description, 2000);
  return toLine(/^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line, maxPurposeLength);
};

export const renderOfferedServers = (servers: readonly OfferedServer[]): string =>
  servers.length === 0
    ? "No server on the list fits. Call find_servers without a query to see all of them."
    : servers
        .map(({ name, description, isAdded, problem }) =>
          [
            name,
            ...(description === undefined ? [] : [`: ${description.replace(/\s+/g, " ").slice(0, 160)}`]),
            ...(isAdded ? [" (connected already)"] : []),
            ...(problem === undefined ? [] : [` (cannot be used: ${problem})`]),
          ].join(""),
        )
        .join("\n");

export const renderAddedServer = ({ server, identifier, tools }: AddedServer): string => {
  const names = tools.length === 0 ? "none" : joinNames(tools);
  return `Connected "${server}" with ${tools.length} tools: ${names}\nIn programs it is ${identifier}, or "servers/${identifier}". search_tools with server "${server}" shows how they are called.`;
};

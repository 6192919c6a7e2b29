// Renders search results and servers that may be added, for a model. Each hit has its purpose, import, signature and an example call.
import type { Language } from "../../../contracts/index.js";
import type { AddedServer, OfferedServer, SearchHit, SearchResult } from "../../../coordinator/index.js";

const maxPurpose = 200;
/** Characters of full declarations in one answer; later hits show only their signature. */
const maxDeclared = 24_000;

/** Characters that could start another line, or hide one, in a comment. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\s]+/gu;

export const renderSearch = (result: SearchResult, language: Language = "typescript"): string => {
  const { queries } = result;
  const hits = boundDeclarations(result.hits);
  const comment = language === "python" ? "#" : "//";
  const sections = queries.map((query) => {
    const found = renderQuery(query, hits, comment);
    const separator = hits.some(({ signature }) => signature !== undefined) ? "\n\n" : "\n";
    if (queries.length === 1) return found.join(separator);
    const title = `${comment} ${toLine(query, 120)}`;
    return found.length === 0 ? `${title}: nothing found` : `${title}:\n${found.join(separator)}`;
  });
  const shared = hits.some(({ declaration }) => declaration !== undefined) ? result.sharedTypes : undefined;
  const blocks = [shared?.trimEnd() ?? "", ...sections].filter((section) => section !== "");
  const unavailable = renderUnavailable(result.unavailable);
  // Nothing was searched, so other words would not help.
  if (result.total === 0 && hits.length === 0 && unavailable.length > 0)
    return ["No tool is known yet, so nothing was searched.", ...unavailable].join("\n\n");
  if (hits.length === 0)
    blocks.splice(
      0,
      blocks.length,
      ...unavailable.splice(0),
      ...(queries.length === 0
        ? []
        : [
            `Nothing found for "${toLine(queries.join('", "'), 200)}" among ${result.total} tools. Try other words.`,
          ]),
    );
  for (const { name, near } of result.unknownNames ?? [])
    blocks.push(
      `No tool is named "${toLine(name, 80)}"${near.length === 0 ? "" : `; similar: ${near.join(", ")}`}`,
    );
  if (result.unmatchedWords.length > 0) blocks.push(renderUnmatched(result));
  return [...blocks, ...unavailable].join("\n\n");
};

/**
 * The hits of one query, best first. A hit of an earlier query is only named. Weak hits are named last;
 * if there is no other, the answer says so first, and the best one is shown.
 */
const renderQuery = (query: string, hits: readonly SearchHit[], comment: string): readonly string[] => {
  const found = hits
    .flatMap((hit) => {
      if (hit.query === query) return [{ hit, score: hit.score, isAbove: false }];
      const other = hit.alsoFor?.find((one) => one.query === query);
      return other === undefined ? [] : [{ hit, score: other.score, isAbove: true }];
    })
    .sort((one, other) => toRank(one.hit) - toRank(other.hit) || other.score - one.score);
  const hasStrong = found.some(({ hit }) => !hit.isWeak);
  const named = found.filter(({ hit, isAbove }, at) => hit.isWeak && (hasStrong || at > 0 || isAbove));
  const shown = found.filter((one) => !named.includes(one));
  const warning = found.length === 0 || hasStrong ? [] : [`${comment} No tool fits well. The nearest:`];
  if (found.every(({ hit }) => hit.signature === undefined))
    return [...warning, ...found.map(({ hit }) => renderHit(hit, comment))];
  return [
    ...warning,
    ...shown.map(({ hit, isAbove }) =>
      isAbove ? `${comment} ${hit.call}: see above` : renderHit(hit, comment),
    ),
    ...(named.length === 0
      ? []
      : [`${comment} weak matches: ${joinNames(named.map(({ hit }) => hit.call))}`]),
  ];
};

const toRank = ({ isWeak, isDeprecated }: SearchHit): number => (isWeak ? 2 : isDeprecated === true ? 1 : 0);

/** Names in one line. */
const maxNamed = 12;

const joinNames = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(", ")}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ""}`;

const renderUnavailable = (unavailable: SearchResult["unavailable"]): string[] => {
  const starting = unavailable.filter(({ isStarting }) => isStarting === true).map(({ server }) => server);
  const installing = unavailable.filter(({ isInstalling }) => isInstalling === true);
  const failed = unavailable.filter(
    ({ isStarting, isInstalling, loginCommand }) =>
      isStarting !== true && isInstalling !== true && loginCommand === undefined,
  );
  const signIns = unavailable.filter(({ loginCommand }) => loginCommand !== undefined);
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
          `Still being installed, and not searched: ${joinNames(installing.map(({ server }) => server))}. Search again in a moment; a program that calls one waits for it.`,
        ]),
    ...signIns.map(
      ({ server, loginCommand }) =>
        `Not searched: ${server}, which requires a sign-in. A person has to run: ${loginCommand}`,
    ),
    ...(failed.length === 0 ? [] : [`Not searched: ${joinNames(reasons)}`]),
  ];
};

const boundDeclarations = (hits: readonly SearchHit[]): readonly SearchHit[] => {
  let left = maxDeclared;
  return hits.map(({ declaration, ...hit }) => {
    left -= declaration?.length ?? 0;
    return declaration === undefined || hit.isWeak || left < 0 ? hit : { ...hit, declaration };
  });
};

const renderHit = (hit: SearchHit, comment: string): string => {
  const { isWeak, importLine, signature, example, declaration } = hit;
  if (signature === undefined) return `${hit.call}${isWeak ? ` ${comment} weak match` : ""}`;
  const skill = hit.skill && `saved skill in ${hit.skill.language === "python" ? "Python" : "TypeScript"}`;
  const labels = [
    skill ?? hit.effect,
    hit.isDeprecated === true ? "deprecated" : undefined,
    isWeak ? "weak match" : undefined,
  ].filter((label) => label !== undefined);
  const title = [
    ...(labels.length === 0 ? [] : [`[${labels.join(", ")}]`]),
    toLine(hit.purpose ?? "", maxPurpose),
  ];
  const note = toResultNote(hit);
  return [
    ...(title.join("") === "" ? [] : [`${comment} ${title.join(" ").trimEnd()}`]),
    importLine,
    `${declaration?.trimEnd() ?? signature}${note === undefined ? "" : ` ${comment} ${note}`}`,
    ...(example === undefined ? [] : [example]),
  ].join("\n");
};

const toResultNote = ({ resultFrom, returns, skill, signature = "" }: SearchHit): string | undefined => {
  // One row, several or none.
  const isRows = /\] \| (?:null|None)$/.test(signature);
  if (resultFrom === "learned")
    return `result learned from answers${isRows ? "; rows(answer) is always a list" : ""}`;
  if (resultFrom !== "unknown" || skill !== undefined) return undefined;
  return returns === undefined
    ? "result not known yet: print it once"
    : `result not known yet, described as: ${toLine(returns, 120)}`;
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

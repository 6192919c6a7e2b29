// The tokens of a search answer, with the real tokenizer and real servers.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { toServerIdentifiers } from "../../../../src/catalog/index.js";
import type { Language } from "../../../../src/contracts/index.js";
import type { SearchDetail } from "../../../../src/coordinator/index.js";
import { toSearchHit } from "../../../../src/coordinator/presenting/to-search-hit.js";
import { buildSearchIndex } from "../../../../src/search/index.js";
import { renderSearch } from "../../../../src/surfaces/mcp-server/agent-tools/render-search.js";
import { hasCorpus, readCorpus } from "../../codegen/catalogs.js";

const intents = [
  ...[
    "list issues",
    "create page",
    "send message",
    "read a file",
    "search the web",
    "run a query on a database",
  ],
  ...[
    "take a screenshot",
    "list pull requests",
    "upload a file",
    "create a calendar event",
    "get the weather",
  ],
  ...["find a customer by email", "convert currency", "delete a branch", "list containers", "add a comment"],
  ...["generate an image", "export data as csv", "restart a deployment", "translate a text"],
];

describe("toSearchHit()", () => {
  const measure = (language: Language, detail: SearchDetail): number => {
    const corpus = readCorpus();
    const identifiers = toServerIdentifiers(corpus.map(({ server }) => server));
    const catalogs = new Map(
      corpus.map((one) => [one.server, { ...one, identifier: identifiers.get(one.server) ?? one.server }]),
    );
    const index = buildSearchIndex(corpus.flatMap(({ tools }) => tools));
    const counts = intents.map((query) => {
      const hits = index.search(query, { limit: 5 }).hits.flatMap(({ tool, score, isWeak }) => {
        const catalog = catalogs.get(tool.server);
        return catalog === undefined
          ? []
          : [{ ...toSearchHit({ tool, catalog, language, detail }), query, score, isWeak }];
      });
      expect(hits, query).toHaveLength(5);
      const result = { queries: [query], hits, unmatchedWords: [], near: [], total: 1, unavailable: [] };
      return countTokens(renderSearch(result, language));
    });
    const sorted = counts.sort((left, right) => left - right);
    return sorted[sorted.length >> 1] ?? 0;
  };

  it("needs about 400 tokens for five hits with everything that a call needs", ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    expect(measure("typescript", "summary")).toBeLessThanOrEqual(420);
    expect(measure("python", "summary")).toBeLessThanOrEqual(420);
    expect(measure("typescript", "name")).toBeLessThanOrEqual(80);
  });
});

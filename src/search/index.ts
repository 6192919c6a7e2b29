// Search: builds an index of tools and ranks them for a query. Pure: no files, no network, no clock.
export {
  buildSearchIndex,
  buildSearchIndexInSlices,
  type NearWords,
  type RankedTool,
  type SearchIndex,
  type SearchOptions,
} from "./build-search-index.js";
export type { SearchableTool } from "./read-terms.js";
export { openWordVectors, type WordVectors } from "./score-meaning.js";

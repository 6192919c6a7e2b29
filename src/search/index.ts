// Search: tool records become an index; a query becomes ranked tools. Pure: no file, no network, no clock.
export { buildSearchIndex, buildSearchIndexInSlices } from "./build-search-index.js";
export type {
  NearWords,
  RankedTool,
  SearchableTool,
  SearchIndex,
  SearchOptions,
  SearchOutcome,
} from "./search-index.js";

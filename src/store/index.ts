// What stays between starts, as plain files: the listings of servers, the shapes of answers, counts of use, the generated tree.
export { type Adapter, type AdapterPlace, listAdapters, readAdapter } from "./library-tree/adapters.js";
export {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  writeTreeStamp,
} from "./library-tree/tree-stamp.js";
export { type WrittenTree, writeLibraryTree } from "./library-tree/write-library-tree.js";
export { openListingCache } from "./listing-cache.js";
export { openShapeStore } from "./shapes/shape-store.js";
export { openUseCounts } from "./use-counts.js";

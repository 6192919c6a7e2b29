// What stays between starts, as plain files: today the listings of servers.
export { openListingCache } from "./listing-cache.js";

// The catalog's job: a server's listing becomes tools with safe names, and a call's values become checked arguments.
export { bindArguments } from "./bind-arguments.js";
export { nearestNames } from "./nearest-names.js";
export { toServerCatalog } from "./to-server-catalog.js";
export { toServerIdentifiers } from "./to-server-identifiers.js";
export { validateArguments } from "./validate-arguments.js";

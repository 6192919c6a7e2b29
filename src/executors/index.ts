// Sandboxes: run untrusted programs and report how they ended.
export { setUpContainer } from "./engines/container/set-up-container.js";
export { setUpPython } from "./engines/python/set-up-python.js";
export { type Executors, openExecutors } from "./open-executors.js";
export { openPackages } from "./packages.js";
export { inspectRuntimes, selfTest } from "./self-test.js";

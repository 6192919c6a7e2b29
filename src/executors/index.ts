// Sandboxes: run untrusted programs and tell how they ended.
export { type Executors, openExecutors } from "./open-executors.js";
export { openPackages } from "./packages/open-packages.js";
export { type SelfTestResult, selfTest } from "./self-test.js";

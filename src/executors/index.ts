// Sandboxes: run untrusted programs and tell how they ended.
export { openIsolateExecutor } from "./isolate/isolate-executor.js";

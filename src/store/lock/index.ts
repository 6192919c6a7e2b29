// One at a time, between processes too.
export { withLock } from "./with-lock.js";

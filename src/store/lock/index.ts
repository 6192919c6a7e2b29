// One at a time between processes, and who the processes are.
export { isAlive, ownIdentity } from "./process-identity.js";
export { withLock } from "./with-lock.js";

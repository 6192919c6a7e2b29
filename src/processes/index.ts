// Which process is which, and whether it still runs: one answer for locks, runs, sessions and containers.
export { isAlive, isProcessIdentity, ownIdentity } from "./process-identity.js";

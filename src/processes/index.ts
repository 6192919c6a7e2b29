// Identifies processes and checks whether they still run: for locks, runs, sessions and containers.
export { isAlive, isProcessIdentity, ownIdentity } from "./process-identity.js";

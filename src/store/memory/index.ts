// What programs remember between runs, by key.
export { openMemory } from "./memory.js";

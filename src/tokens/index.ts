// Texts → tokens, counted and not estimated: short texts at once, long ones in a thread of their own.
export { openTokenCounter, readCounter, type TokenCounter } from "./token-counter.js";

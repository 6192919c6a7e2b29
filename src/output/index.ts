// What a model reads of a value: its rendering, as much as fits into a token budget, and token counting.
export {
  openTokenFitter,
  type Preview,
  previewText,
  previewValue,
  type ReadOn,
  type TokenFitter,
} from "./preview.js";
export { renderValue } from "./render-value.js";
export { openTokenCounter, readCounter, type TokenCounter } from "./tokens/token-counter.js";

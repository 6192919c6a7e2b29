// Values → what a model reads of them: their form, and as much as fits into a number of tokens (pure).
export { type Fitting, openFitting } from "./fit-tokens.js";
export { type Preview, previewText, previewValue, type ReadOn } from "./preview.js";
export { renderValue } from "./render-value.js";
export { openTokenCounter, readCounter, type TokenCounter } from "./tokens/token-counter.js";

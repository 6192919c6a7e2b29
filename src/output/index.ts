// Values → what a model reads of them: their form, and as much as fits into a number of tokens (pure).
export { type Fitting, openFitting } from "./fit-tokens.js";
export { type Preview, previewText, previewValue, type ReadOn } from "./preview-output.js";
export { renderValue } from "./render-value.js";

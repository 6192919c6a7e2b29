// Language models over HTTP: one exchange with an OpenAI-compatible or an Anthropic endpoint.
export { type ModelAccess, sendToModel } from "./send-to-model.js";

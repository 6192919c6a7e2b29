// The config room: files, environment and options in, one validated Configuration out.
export { isUsableName } from "./collect-servers.js";
export type { ConfigurationDocument, LoadOptions, ServerEntry } from "./load-configuration.js";
export { loadConfiguration } from "./load-configuration.js";
export type { SettingsInput } from "./settings-schema.js";

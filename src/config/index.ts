// The config room: files, environment and options in, one validated Configuration out.
export { isUsableName } from "./collect-servers.js";
export { defaultCacheFolder } from "./default-cache-folder.js";
export { personalStateFolder } from "./default-state-folder.js";
export { createEnvironmentFileReader } from "./environment-files.js";
export { personalFile, projectFileName } from "./find-files.js";
export { isOwnEntry } from "./is-own-entry.js";
export type { ConfigurationDocument, LoadOptions, ServerEntry } from "./load-configuration.js";
export { loadConfiguration } from "./load-configuration.js";
export { listNamedPaths } from "./read-sources.js";
export type { SettingsInput } from "./settings-schema.js";
export { stampSources } from "./stamp-sources.js";
export { describeEntry } from "./trust/describe-launch.js";
export { readTrust, writeTrust } from "./trust/trust-records.js";

// Reads files, environment and options into one validated Configuration.
export { isOwnEntry, isUsableName } from "./collect-servers.js";
export { createEnvironmentFileReader } from "./expand-variables.js";
export { personalFile, projectFileName } from "./find-files.js";
export type { ConfigurationDocument, LoadOptions, ServerEntry } from "./load-configuration.js";
export { loadConfiguration, stampSources } from "./load-configuration.js";
export { defaultCacheFolder, personalStateFolder } from "./paths.js";
export { listNamedPaths } from "./read-sources.js";
export type { SettingsInput } from "./settings-schema.js";
export { describeEntry } from "./trust/describe-launch.js";
export { readTrust, writeTrust } from "./trust/judge-trust.js";

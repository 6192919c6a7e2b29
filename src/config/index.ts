// Reads files, environment and options into one validated Configuration.
export { isOwnEntry, isUsableName } from "./collect-servers.js";
export { createEnvironmentFileReader } from "./expand-variables.js";
export { isWithin, localFile, personalFile, personalStateFolder, projectFileName } from "./find-files.js";
export {
  type ConfigurationDocument,
  type LoadOptions,
  loadConfiguration,
  stampSources,
} from "./load-configuration.js";
export { findJsonMistake } from "./parse-json.js";
export { readDocument } from "./read-policies.js";
export { listNamedPaths } from "./read-sources.js";
export type { SettingsInput } from "./settings-schema.js";
export { describeEntry } from "./trust/describe-launch.js";
export { readTrust, writeTrust } from "./trust/judge-trust.js";

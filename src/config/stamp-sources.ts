// Tells whether files that a configuration is made of have changed, without reading them.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { personalStateFolder } from "./default-state-folder.js";
import { findNamedFiles, findPersonalFiles, findProjectFiles } from "./find-files.js";
import type { LoadOptions } from "./load-configuration.js";
import { isInline, listNamedPaths } from "./read-sources.js";
import { steeringFiles } from "./trust/describe-launch.js";
import { trustFile } from "./trust/trust-records.js";

const stamp = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${path} ${found.mtimeMs} ${found.size} ${found.ino}\n`;
};

/** Another text whenever a file was written, added or removed; empty when there is no file to look at. */
export const stampSources = (options: LoadOptions): string => {
  const { config, environment = process.env, homeFolder = homedir() } = options;
  const workingFolder = resolve(options.workingFolder ?? ".");
  const folders = { workingFolder, homeFolder };
  if (isInline({ config, environment })) return "";
  const named = listNamedPaths({ config, environment })?.paths;
  try {
    const found =
      named === undefined
        ? [...findProjectFiles(folders), ...findPersonalFiles(folders)]
        : findNamedFiles(named, folders);
    const files = found.map(({ path }) => path);
    const environments = new Set([workingFolder, ...files.map(dirname)]);
    const trusted = trustFile(personalStateFolder({ platform: process.platform, environment, ...folders }));
    // A server that is started again would obey them, and was trusted without.
    const obeyed = steeringFiles.map((name) => join(workingFolder, name));
    return [...files, ...[...environments].map((folder) => join(folder, ".env")), ...obeyed, trusted]
      .map(stamp)
      .join("");
  } catch {
    // A file that was named is gone for the moment: some editors save like that.
    return "missing";
  }
};

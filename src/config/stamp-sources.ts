// Detects changes to the configuration files without reading them.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findNamedFiles, findPersonalFiles, findProjectFiles } from "./find-files.js";
import type { LoadOptions } from "./load-configuration.js";
import { personalStateFolder } from "./paths.js";
import { isInline, listNamedPaths } from "./read-sources.js";
import { steeringFiles } from "./trust/describe-launch.js";
import { trustFile } from "./trust/trust-records.js";

const stamp = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${path} ${found.mtimeMs} ${found.size} ${found.ino}\n`;
};

/** Returns a stamp that changes whenever a file is written, added or removed; empty if there is no file. */
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
    // A restarted server would obey these files, but was trusted without them.
    const steering = steeringFiles.map((name) => join(workingFolder, name));
    return [...files, ...[...environments].map((folder) => join(folder, ".env")), ...steering, trusted]
      .map(stamp)
      .join("");
  } catch {
    // A named file is missing for a moment: some editors save like that.
    return "missing";
  }
};

// Expands the variables in one entry. The process environment wins, then the `.env` files nearest to the entry.
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { type ReadEnvironmentFile, readVariable, type Variables } from "./environment-files.js";
import { expandVariables } from "./expand-variables.js";
import type { MissingVariable } from "./missing-variable.js";

export interface ExpanderContext {
  readonly environment: Variables;
  readonly readEnvironmentFile: ReadEnvironmentFile;
  readonly workingFolder: string;
  readonly homeFolder: string;
  /** Whether the working folder's `.env` may supply variables to a configuration in another folder. */
  readonly mayUseProjectVariables: () => boolean;
}

export interface ExpanderOptions extends ExpanderContext {
  /** Variables of the entry's own `envFile`. */
  readonly fileVariables: Variables;
  /** The folder whose `.env` belongs to the configuration. */
  readonly folder: string;
  readonly onMissing: (missing: MissingVariable) => void;
}

const isInside = (path: string, folder: string): boolean => {
  const fromFolder = relative(folder, path);
  return fromFolder === "" || (!fromFolder.startsWith("..") && !isAbsolute(fromFolder));
};

export type Expand = (text: string, field: string) => string;

export const createExpander = (options: ExpanderOptions): Expand => {
  const { environment, readEnvironmentFile, workingFolder, homeFolder, fileVariables, folder } = options;
  const constants = new Map([
    ["workspaceFolder", workingFolder],
    ["workspaceFolderBasename", basename(workingFolder)],
    ["userHome", homeFolder],
    ["pathSeparator", sep],
    ["/", sep],
  ]);
  const layers = [
    () => environment,
    () => fileVariables,
    () => readEnvironmentFile(join(folder, ".env")),
    () =>
      isInside(folder, workingFolder) || options.mayUseProjectVariables()
        ? readEnvironmentFile(join(workingFolder, ".env"))
        : undefined,
  ];
  return (text, field) =>
    expandVariables(text, {
      constants,
      read: (variable) => readVariable(variable, layers),
      onMissing: (variable, isPrompt) => options.onMissing({ field, variable, isPrompt }),
    });
};

// Expands the variables in one entry. The process environment wins, then the `.env` files nearest to the entry.
import { readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { parseEnv } from "node:util";
import { CoordinatorError } from "../contracts/index.js";
import { quoteText } from "./parse-json.js";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the variables of one file, or `undefined` if it cannot be read. */
export type ReadEnvironmentFile = (path: string) => Variables | undefined;

const maxBytes = 1024 * 1024;

const read: ReadEnvironmentFile = (path) => {
  try {
    // An untrusted folder may contain a link to a pipe or device, which could block or never end.
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > maxBytes) return undefined;
    return parseEnv(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

export const createEnvironmentFileReader = (): ReadEnvironmentFile => {
  const known = new Map<string, Variables | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
};

/** Returns a variable's value from the first layer that has it. Later layers stay unread. */
const readVariable = (name: string, layers: readonly (() => Variables | undefined)[]): string | undefined => {
  for (const layer of layers) {
    const variables = layer();
    // Own names only: "${constructor}" is not a variable.
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
  }
  return undefined;
};

export interface VariableSource {
  /** Names that are not environment variables, e.g. `workspaceFolder`. */
  readonly constants: ReadonlyMap<string, string>;
  readonly read: (name: string) => string | undefined;
  /** Called for a reference without a value. `isPrompt`: only an editor can supply it, or it prompts the user. */
  readonly onMissing: (name: string, isPrompt: boolean) => void;
}

// Allows one nested pair of braces, for a default that holds a reference or an object.
// linear: a start within another's body belongs to a closed pair, so it matches at once
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const grammar = /^(?:env:(?<environment>[^:]+)|(?<name>[A-Za-z_]\w*))(?::-(?<fallback>.*))?$/s;
const prompt = /^(?:input|command|config):/;

/** Expands one text. Other kinds of references are left alone. Values are not expanded again. */
export const expandVariables = (text: string, source: VariableSource): string =>
  text.replace(reference, (written: string, body: string) => {
    const constant = source.constants.get(body);
    if (constant !== undefined) return constant;
    if (prompt.test(body)) {
      source.onMissing(body, true);
      return written;
    }
    const parts = grammar.exec(body)?.groups;
    const name = parts?.environment ?? parts?.name;
    if (name === undefined) return written;
    const value = source.read(name);
    const fallback = parts?.fallback;
    // As in a shell, the default also replaces an empty value.
    if (fallback !== undefined) return value ? value : expandVariables(fallback, source);
    if (value !== undefined) return value;
    source.onMissing(name, false);
    return written;
  });

/** Lists the references in a text as written, e.g. "${TOKEN}". */
export const listReferences = (text: string): readonly string[] => text.match(reference) ?? [];

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

export interface MissingVariable {
  readonly field: string;
  readonly variable: string;
  /** Only an editor can supply the value, or it prompts the user. */
  readonly isPrompt: boolean;
}

const describe = ({ field, variable, isPrompt }: MissingVariable): string =>
  isPrompt
    ? `field ${quoteText(field)} uses ${quoteText(`\${${variable}}`)}, which only an editor can supply`
    : `field ${quoteText(field)} uses the variable ${quoteText(variable)}, which is not set`;

export const toMissingError = (
  server: string,
  source: string,
  missing: readonly MissingVariable[],
  isInProject = false,
): CoordinatorError | undefined => {
  if (missing.length === 0) return undefined;
  const states = [...new Set(missing.map(describe))].join("; ");
  const hint = missing.some(({ isPrompt }) => isPrompt)
    ? "Set an environment variable and refer to it instead: ${NAME}."
    : isInProject
      ? 'The ".env" of this folder has it, but is not trusted yet. Review it and run "mcp-coordinator trust", or set the variable.'
      : undefined;
  const details = { source, missing: missing.map(({ field, variable }) => ({ field, variable })) };
  const message = `Cannot use server ${quoteText(server)}: ${states}`;
  return new CoordinatorError("CONFIG_VARIABLE_MISSING", message, { hint, details });
};

// Describes everything in an entry that decides what runs and where data goes: shown to the user, hashed to detect changes.
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Fields, isFields, type LaunchFact } from "../../contracts/index.js";
import {
  createExpander,
  type ExpanderContext,
  isReplaceable,
  isSecretName,
  isSteering,
  listReferences,
  type ReadEnvironmentFile,
  type Variables,
} from "../expand-variables.js";
import { isWithin, kindOfPath, resolvePath } from "../find-files.js";

interface LaunchContext {
  /** The base of relative paths in the entry. */
  readonly folder: string;
  /** The folder of a server without a `cwd`. */
  readonly workingFolder: string;
  readonly homeFolder: string;
  readonly readEnvironmentFile: ReadEnvironmentFile;
  /** Expands variables from the folder's files. References to the user's own environment stay references. */
  readonly expand: (text: string, fileVariables: Variables) => string;
}

export interface Launch {
  readonly facts: readonly LaunchFact[];
  readonly fingerprint: string;
}

const addressNames = ["url", "serverUrl", "httpUrl"];

const steeringFilesOf = {
  node: [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml"],
  plugAndPlay: [".pnp.cjs", ".pnp.loader.mjs"],
  pip: ["uv.toml", "pip.conf", "sitecustomize.py", "usercustomize.py"],
  python: [".python-version", ".pdm.toml", "poetry.toml"],
  ruby: [".bundle/config"],
  rust: [".cargo/config.toml", ".cargo/config"],
  dotnet: ["nuget.config", "NuGet.config", "NuGet.Config", "global.json"],
  java: [".mvn/jvm.config", ".mvn/maven.config"],
  versions: [".tool-versions", "mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml"],
  mise: [".mise/config.toml", ".config/mise.toml", ".config/mise/config.toml"],
  network: [".netrc"],
};

/** Files that package runners and interpreters obey. If one changes, the same command runs other code. */
export const steeringFiles = Object.values(steeringFilesOf).flat();

/** These change too often to ask about each change. The prompt only mentions them. */
const codeFiles = [
  "package.json",
  "node_modules",
  "pyproject.toml",
  "deno.json",
  "Gemfile",
  "Cargo.toml",
  "go.mod",
];

export const hashText = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Quotes words where needed, so that their boundaries are visible. */
const joinWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./\\~${}-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");

const hideUser = (text: string): string => text.replace(/\/\/[^/@\s]*@/g, "//***@");

const showAddress = (text: string): string => {
  const [start = "", ...query] = hideUser(text).split("?");
  const hide = (part: string): string => {
    const [name = "", ...value] = part.split("=");
    return value.length > 0 && isSecretName(name) ? `${name}=***` : part;
  };
  return query.length === 0 ? start : `${start}?${query.join("?").split("&").map(hide).join("&")}`;
};

interface Fact extends LaunchFact {
  /** What is hashed: the field and its content. Includes the field, so that none can pass for another. */
  readonly identity: readonly [field: string, ...parts: (string | readonly string[])[]];
}

/** A variable or header. A new token does not change what runs, but a new `${NAME}` in it could leak another secret. */
const toValueFact = (
  { field, label, name }: { readonly field: string; readonly label: string; readonly name: string },
  raw: string,
  expanded: string,
): Fact => {
  const references = listReferences(raw);
  const identity = [field, name, isReplaceable(name, expanded) ? "" : expanded, references] as const;
  if (!isSecretName(name))
    return { label, value: hideUser(expanded), isSteering: isSteering(name), identity };
  const value = references.length === 0 ? "(a secret)" : `(a secret, uses ${references.join(" ")})`;
  return { label, value, isSteering: false, identity };
};

const readValues = (value: unknown): readonly (readonly [string, string])[] =>
  Object.entries(isFields(value) ? value : {}).flatMap(([name, one]) =>
    one === null || typeof one === "object" ? [] : [[name, String(one)] as const],
  );

const readWords = (fields: Fields): readonly string[] =>
  [fields.command, fields.args].flat().filter((word) => typeof word === "string");

/** Larger files are not read and cannot be trusted. */
const maxFileBytes = 64 << 20;
const sliceBytes = 1 << 20;

/** Reads in slices, so that memory use does not depend on the file's size. */
export const hashFile = (path: string): string => {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const slice = Buffer.allocUnsafe(sliceBytes);
    for (let length = readSync(file, slice); length > 0; length = readSync(file, slice))
      hash.update(slice.subarray(0, length));
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
};

/** Shows size and hash for comparison. */
export const renderFile = (bytes: number, hash: string): string =>
  `${bytes} bytes, sha256 ${hash.slice(0, 16)}`;

/** The folder and its parents, where package runners look too. The home folder and its parents belong to the user. */
const listFolders = (folder: string, homeFolder: string): readonly string[] => {
  const above = dirname(folder);
  if (isWithin(homeFolder, folder)) return [];
  return above === folder ? [folder] : [folder, ...listFolders(above, homeFolder)];
};

const describeFile = (path: string, cwd: string): readonly Fact[] => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return [];
  const name = relative(cwd, path);
  const begin = `${isWithin(path, cwd) ? `${name} of this folder` : path} can change what runs`;
  if (found.size > maxFileBytes) {
    const value = `${begin}; it is too large to check (${found.size} bytes), so you are asked every time`;
    // Different every time, so that it is never trusted.
    const identity = ["file", name, String(process.hrtime.bigint())] as const;
    return [{ label: "file", value, isSteering: true, identity }];
  }
  const hash = hashFile(path);
  const value = `${begin} (${renderFile(found.size, hash)})`;
  return [{ label: "file", value, isSteering: true, identity: ["file", name, hash] }];
};

const readFolderFiles = (cwd: string, homeFolder: string): readonly Fact[] =>
  listFolders(cwd, homeFolder).flatMap((folder) =>
    steeringFiles.flatMap((name) => describeFile(join(folder, name), cwd)),
  );

/** Notes are not part of the fingerprint: they describe files that change with daily work. */
const toNotes = (words: readonly string[], cwd: string, workingFolder: string): readonly Fact[] => {
  const own = words.filter((word) => {
    const path = resolve(cwd, word);
    return word !== "" && isWithin(path, workingFolder) && kindOfPath(path) === "file";
  });
  const nearby = isWithin(cwd, workingFolder) ? codeFiles.filter((name) => existsSync(join(cwd, name))) : [];
  const notes = [
    ...own.map((word) => `${word} is a file of this folder: changing it changes what runs`),
    ...(nearby.length === 0 ? [] : [`${nearby.join(", ")} of this folder can change what runs`]),
  ];
  return notes.map((value) => ({ label: "note", value, isSteering: true, identity: ["note"] }));
};

const describeProcess = (
  fields: Fields,
  fileVariables: Variables,
  context: LaunchContext,
): readonly Fact[] => {
  const { folder, homeFolder, workingFolder } = context;
  const expand = (text: string): string => context.expand(text, fileVariables);
  const written = readWords(fields);
  const words = written.map(expand);
  const wanted =
    typeof fields.cwd === "string" ? resolvePath(expand(fields.cwd), folder, homeFolder) : workingFolder;
  const cwd = kindOfPath(wanted) === "folder" ? wanted : workingFolder;
  const own = readValues(fields.env);
  const inherited = readValues(fileVariables).filter(([name]) => !own.some(([other]) => other === name));
  return [
    {
      label: "command",
      value: joinWords(words),
      isSteering: false,
      identity: ["command", words, written.flatMap(listReferences)],
    },
    // Without a `cwd` it runs in our working folder, which varies by client: only the files there count.
    {
      label: "folder",
      value: cwd,
      isSteering: false,
      identity:
        typeof fields.cwd === "string" ? ["folder", wanted, cwd, listReferences(fields.cwd)] : ["folder"],
    },
    ...inherited.map(([name, value]) =>
      toValueFact({ field: "envFile", label: `${name} (envFile)`, name }, "", value),
    ),
    ...own.map(([name, value]) => toValueFact({ field: "env", label: name, name }, value, expand(value))),
    ...readFolderFiles(cwd, homeFolder),
    ...toNotes(words, cwd, workingFolder),
  ];
};

const describeAddress = (
  fields: Fields,
  fileVariables: Variables,
  context: LaunchContext,
): readonly Fact[] => {
  const expand = (text: string): string => context.expand(text, fileVariables);
  const address = addressNames.map((name) => fields[name]).find((value) => typeof value === "string");
  const written = String(address ?? "");
  const url = expand(written);
  return [
    {
      label: "address",
      value: showAddress(url),
      isSteering: false,
      identity: ["address", url, listReferences(written)],
    },
    ...readValues(fields.headers).map(([name, value]) =>
      toValueFact({ field: "headers", label: `header ${name}`, name }, value, expand(value)),
    ),
    // Decides which secrets go to which issuer.
    ...readValues(typeof fields.auth === "string" ? { type: fields.auth } : fields.auth).map(
      ([name, value]) => toValueFact({ field: "auth", label: `auth ${name}`, name }, value, expand(value)),
    ),
  ];
};

/** The file's path. Its variables are separate facts, so a changed secret does not require new trust. */
const describeEnvironmentFile = (path: string, written: string): Fact => {
  const found = statSync(path, { throwIfNoEntry: false });
  const isRead = found?.isFile() === true && found.size <= sliceBytes;
  const value = isRead ? `${path} (${renderFile(found.size, hashFile(path))})` : path;
  const identity = ["envFile", path, listReferences(written)] as const;
  return { label: "envFile", value, isSteering: false, identity };
};

/** Describes all of one entry, used or not. Facts that can load other code come last, next to the question. */
const describeLaunch = (raw: unknown, context: LaunchContext): Launch => {
  const fields = isFields(raw) ? raw : {};
  const envFile =
    typeof fields.envFile === "string"
      ? resolvePath(context.expand(fields.envFile, {}), context.folder, context.homeFolder)
      : undefined;
  const fileVariables = (envFile === undefined ? undefined : context.readEnvironmentFile(envFile)) ?? {};
  const hasAddress = addressNames.some((name) => fields[name] !== undefined);
  const facts: readonly Fact[] = [
    ...(fields.command === undefined ? [] : describeProcess(fields, fileVariables, context)),
    ...(hasAddress ? describeAddress(fields, fileVariables, context) : []),
    ...(envFile === undefined ? [] : [describeEnvironmentFile(envFile, String(fields.envFile))]),
  ];
  const identities = facts
    .filter(({ label }) => label !== "note")
    .map(({ identity }) => JSON.stringify(identity));
  return {
    facts: facts
      .map(({ identity: _, ...fact }) => fact)
      .toSorted((one, other) => Number(one.isSteering) - Number(other.isSteering)),
    fingerprint: hashText(JSON.stringify([fields.type ?? null, identities.sort()])),
  };
};

export interface DescribeOptions extends Omit<ExpanderContext, "mayUseProjectVariables"> {
  /** The folder of the file that holds the entry. */
  readonly folder: string;
}

/** Returns the facts about an entry to show to the user, and its fingerprint. */
export const describeEntry = (raw: unknown, options: DescribeOptions): Launch => {
  const describeWith = (environment: Variables): Launch =>
    describeLaunch(raw, {
      ...options,
      expand: (text, fileVariables) =>
        createExpander({
          ...options,
          environment,
          mayUseProjectVariables: () => true,
          fileVariables,
          onMissing: () => {},
        })(text, ""),
    });
  // The user's own variables may be secrets, so they are shown as references.
  const references = Object.fromEntries(
    Object.keys(options.environment).map((name) => [name, `\${${name}}`]),
  );
  // A change in the user's environment does not require new trust, but the facts must match what runs.
  return { facts: describeWith(references).facts, fingerprint: describeWith({}).fingerprint };
};

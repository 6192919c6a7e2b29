// Reads policy documents: `coordinator.policy` of each file, and a `policy.yaml` beside it. They are never merged: each only narrows the first.
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CoordinatorError, isFields, type Json, type PolicyDocument } from "../contracts/index.js";
import { resolvePath } from "./find-files.js";
import { parseJson, quoteText, renderPointer } from "./parse-json.js";
import type { ConfigurationSource } from "./read-sources.js";

/** The environment variable with the path of a policy. */
export const policyVariable = "MCP_COORDINATOR_POLICY";

const fileNames = ["policy.yaml", "policy.yml"];
const maxBytes = 1024 * 1024;

/** The `policy.yaml` beside a configuration file. */
const findBeside = (folder: string): string | undefined =>
  fileNames
    .map((name) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());

/** The files that a configuration's policies are read from. */
export const listPolicyFiles = (files: readonly string[]): readonly string[] => [
  ...new Set(files.flatMap((file) => findBeside(dirname(file)) ?? [])),
];

/** Files named like a policy in these folders that were not read. Their author expects them to apply. */
export const findIgnoredPolicies = (
  folders: readonly string[],
  policies: readonly PolicyDocument[],
): readonly string[] =>
  folders
    .flatMap((folder) => findBeside(folder) ?? [])
    .filter((path) => !policies.some(({ file }) => file === path));

/** Only the first policy allows: a client's environment must not take the place of what the user wrote or named. */
const rankSource = ({ name, needsTrust }: Pick<ConfigurationSource, "name" | "needsTrust">): number => {
  if (name === policyVariable) return 2;
  return needsTrust === undefined ? 0 : needsTrust === "named" ? 1 : 3;
};

/** The user's own policies come first. Throws for a file that cannot be read: a policy that is skipped would forbid nothing. */
export const readPolicies = async (
  sources: readonly Pick<ConfigurationSource, "name" | "folder" | "settings" | "needsTrust">[],
  homeFolder: string,
  /** Files that the user names are as good as the user's own. */
  trustsNamed: boolean,
): Promise<readonly PolicyDocument[]> => {
  const sorted = [...sources].sort((one, other) => rankSource(one) - rankSource(other));
  const read = new Set<string>();
  const documents: PolicyDocument[] = [];
  const add = async (path: string, isProject: true | undefined): Promise<void> => {
    if (read.has(path)) return;
    read.add(path);
    documents.push({ ...(await readDocument(path)), isProject });
  };
  for (const { name, folder, settings, needsTrust } of sorted) {
    const isProject = needsTrust === "found" || (needsTrust === "named" && !trustsNamed) || undefined;
    const written = isFields(settings) ? settings.policy : undefined;
    if (typeof written === "string") await add(resolvePath(written, folder, homeFolder), isProject);
    else if (written !== undefined) documents.push({ file: name, document: written as Json, isProject });
    const beside =
      statSync(name, { throwIfNoEntry: false }) === undefined ? undefined : findBeside(dirname(name));
    if (beside !== undefined) await add(beside, isProject);
  }
  return documents;
};

const unreadable = (path: string, why: string, hint?: string, details?: object): CoordinatorError =>
  new CoordinatorError("CONFIG_UNREADABLE", `Cannot read "${path}": ${why}`, {
    hint,
    details: { source: path, ...details },
  });

const pairWanted = 'one "key: value" per line, and quotes around a value that contains ": "';

/** What YAML expects at a mistake, by the parser's code. */
const wantedByCode: Readonly<Record<string, string>> = {
  ALIAS_PROPS: 'quotes around a value that starts with "&" or "*"',
  BAD_ALIAS: 'quotes around a value that starts with "&" or "*"',
  BAD_DQ_ESCAPE: "single quotes around a value that contains a backslash",
  BAD_INDENT: "the same indentation as the other lines of its block",
  BAD_SCALAR_START: "quotes around a value that starts with this character",
  BLOCK_AS_IMPLICIT_KEY: pairWanted,
  BLOCK_IN_FLOW: "items on one line between the brackets",
  MULTILINE_IMPLICIT_KEY: pairWanted,
  MULTIPLE_DOCS: 'one document, without a second "---"',
  TAB_AS_INDENT: "spaces instead of a tab for indentation",
  TAG_RESOLVE_FAILED: 'quotes around a value that starts with "!"',
};

/** The same for codes that cover several mistakes: the parser's message says which. */
const wantedByMessage: readonly (readonly [RegExp, string])[] = [
  [/closing ["']quote/, "the closing quote"],
  [/end with a \]/, 'the closing "]"'],
  [/end with a \}/, 'the closing "}"'],
  [/Implicit map keys/, '"key: value"'],
  [/block sequence may not/, "the same indentation as the other lines of its block"],
  [/block-seq-ind on same line/, '"- item" on a line of its own'],
  [/without - indicator/, '"- " at the start of the item'],
  [/Missing space after :/, 'a space after ":"'],
  [/Missing ,/, '"," between the items'],
  [/Comments must be separated/, 'a space before "#"'],
];

/** A mistake in YAML with its place, in our words. */
const toMistake = (
  path: string,
  text: string,
  {
    code,
    message,
    pos,
  }: { readonly code: string; readonly message: string; readonly pos: readonly number[] },
): CoordinatorError => {
  const wanted =
    wantedByMessage.find(([expression]) => expression.test(message))?.[1] ??
    wantedByCode[code] ??
    '"key: value" or "- item"';
  const { line, column, pointer } = renderPointer(text, Math.min(pos[0] ?? 0, text.trimEnd().length));
  const hint = "Correct that line, then run the command again.";
  return unreadable(path, `line ${line}, column ${column}, expected ${wanted}`, hint, {
    line,
    column,
    pointer,
  });
};

const maxDepth = 100;
const deepList = /^ *(?:[-?] +){100}/m;

/** The parser takes seconds for a text with many levels. */
const isDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const character = text[at];
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
  }
  return depth > maxDepth || deepList.test(text);
};

/** Throws if aliases make a short text a huge value, or one that contains itself. */
const toPlain = (path: string, read: () => unknown): Json => {
  try {
    return JSON.parse(JSON.stringify(read() ?? {})) as Json;
  } catch {
    throw unreadable(path, "its aliases repeat too much");
  }
};

/** Reads a YAML or JSON file. Throws CONFIG_UNREADABLE. */
export const readDocument = async (path: string): Promise<PolicyDocument> => {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw unreadable(path, "there is no such file", "Check the path.");
  // An untrusted folder may name a pipe or device, which could block or never end.
  if (!facts.isFile()) throw unreadable(path, "it is not a plain file");
  if (facts.size > maxBytes)
    throw unreadable(path, `it has ${facts.size} bytes, expected at most ${maxBytes}`);
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".json")) return { file: path, document: (await parseJson(text, path)) as Json };
  if (isDeep(text)) throw unreadable(path, `it has more than ${maxDepth} levels`);
  const { LineCounter, isNode, isScalar, parseDocument, visit } = await import("yaml");
  const lines = new LineCounter();
  // Compared below: the parser compares every key with every other one.
  const parsed = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const [mistake] = parsed.errors;
  if (mistake !== undefined) throw toMistake(path, text, mistake);
  visit(parsed, {
    Map: (_key, { items }) => {
      const keys = new Set<string>();
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key);
        if (keys.has(name))
          throw unreadable(path, `it has the key ${quoteText(name)} twice`, "Remove or join one of them.");
        keys.add(name);
      }
    },
    // The parser reads an unquoted *.delete_* as an alias.
    Alias: (_key, alias) => {
      if (alias.resolve(parsed) !== undefined) return;
      const { line } = lines.linePos(alias.range?.[0] ?? 0);
      throw unreadable(
        path,
        `line ${line} has *${alias.source} without quotes`,
        `Write it in quotes: "*${alias.source}". YAML reads a * at the beginning as a reference.`,
      );
    },
  });
  return {
    file: path,
    document: toPlain(path, () => parsed.toJS({ maxAliasCount: 100 })),
    lineOf: (keys) => {
      const node = parsed.getIn([...keys], true);
      const start = isNode(node) ? node.range?.[0] : undefined;
      return start === undefined ? undefined : lines.linePos(start).line;
    },
  };
};

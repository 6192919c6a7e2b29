// Reads the words and options of a command as typed values, such as its program or its arguments. A mistake is a USAGE error that says what was expected.
import { readFile, writeFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Language,
  parseJson,
} from "../../contracts/index.js";
import { type Coordinator, findJsonMistake } from "../../coordinator/index.js";
import { isSchemaObject, listFields, listTypes, nearestNames } from "../../schema/index.js";
import type { GivenOptions } from "./command.js";
import { detectLanguage } from "./detect-language.js";

/** A USAGE error in the standard wording. */
export const usage = (what: string, state: string, command: string, hint?: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot ${what}: ${state}`, {
    hint: hint ?? `Run "mcp-coordinator ${command} --help" to see its usage.`,
  });

/** The words after a command fit none of its forms, such as "export FILE". The hint suggests the nearest verb. */
export const misread = (
  command: string,
  words: readonly string[],
  forms: readonly string[],
): CoordinatorError => {
  const verbs = forms.map((form) => form.split(" ", 1)[0] ?? "").filter((verb) => /^[a-z]/.test(verb));
  const [given = ""] = words;
  const [near] = verbs.includes(given) ? [] : nearestNames(given, verbs, 1);
  return usage(
    `run "${[command, ...words].join(" ")}"`,
    `expected ${joinChoices(forms)} after "${command}"`,
    command,
    near && `Did you mean "${command} ${near}"?`,
  );
};

/** A server, or one of its tools. */
interface Target {
  readonly server: string;
  readonly tool?: string | undefined;
}

/** `SERVER TOOL`, `SERVER.TOOL` or `SERVER`. Names may contain dots, so the configured ones decide where to split. */
export const readTarget = async (coordinator: Coordinator, words: readonly string[]): Promise<Target> => {
  const [first = "", second] = words;
  if (second !== undefined) return { server: first, tool: second };
  const known = await splitKnown(coordinator, first);
  if (known !== undefined) return known;
  const dot = first.indexOf(".");
  return dot < 0 ? { server: first } : { server: first.slice(0, dot), tool: first.slice(dot + 1) };
};

/** `SERVER.TOOL` or `SERVER` with a configured server; otherwise undefined. */
const splitKnown = async (coordinator: Coordinator, word: string): Promise<Target | undefined> => {
  const names = (await coordinator.listServers()).flatMap(({ name, identifier }) =>
    [...new Set([name, identifier])].map((spelling) => ({ name, spelling })),
  );
  const whole = names.find(({ spelling }) => spelling === word);
  if (whole !== undefined) return { server: whole.name };
  const [prefix] = names
    .filter(({ spelling }) => word.startsWith(`${spelling}.`))
    .sort((left, right) => right.spelling.length - left.spelling.length);
  return prefix && { server: prefix.name, tool: word.slice(prefix.spelling.length + 1) };
};

/** `SERVER TOOL` or `SERVER.TOOL`, and the words after it. */
export const readCall = async (
  coordinator: Coordinator,
  words: readonly string[],
): Promise<Target & { readonly pairs: readonly string[] }> => {
  const [first = "", second] = words;
  const isOneWord =
    first.includes(".") &&
    (second === undefined ||
      /^\s*\{|=/.test(second) ||
      (await splitKnown(coordinator, first))?.tool !== undefined);
  const length = isOneWord ? 1 : 2;
  return { ...(await readTarget(coordinator, words.slice(0, length))), pairs: words.slice(length) };
};

/** The value of a string option that is given once. */
export const readText = (options: GivenOptions, name: string): string | undefined => options.texts[name]?.[0];

/** For commands that need the id of a run. */
export const idHint = 'Run "mcp-coordinator runs" to see the ids.';

/** For commands about the data of earlier runs. */
export const workspaceOption = {
  type: "string",
  value: "WORKSPACE",
  summary: "The workspace (default: from the settings)",
} as const;

/** The value of an option that accepts only some words. */
export const readChoice = <Choice extends string>(
  options: GivenOptions,
  name: string,
  choices: readonly Choice[],
  command: string,
): Choice | undefined => {
  const text = readText(options, name);
  const found = choices.find((choice) => choice === text);
  if (text === undefined || found !== undefined) return found;
  throw usage(`read "--${name}"`, `it is "${text}", expected ${joinChoices(choices)}`, command);
};

const joinChoices = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(", "), choices.at(-1)].filter((part) => part !== "").join(" or ");

export const languages = ["typescript", "python"] as const;

export const languageOption = {
  type: "string",
  value: "NAME",
  choices: languages,
  summary: "typescript (default) or python",
} as const;

/** For commands that read a program. */
export const programOptions = {
  eval: { type: "string", short: "e", value: "CODE", summary: "The program itself" },
  language: { ...languageOption, summary: "typescript or python (default: detected)" },
} as const;

export const scopes = ["user", "project"] as const;

export const scopeOption = {
  type: "string",
  value: "SCOPE",
  choices: scopes,
  summary: "user (default) or project",
} as const;

/** A whole number above zero. */
export const readCount = (options: GivenOptions, name: string, command: string): number | undefined => {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw usage(`read "--${name}"`, `it is "${text}", expected a whole number above 0`, command);
};

const describeFileError = ({ code }: NodeJS.ErrnoException, missing: string): string => {
  if (code === "ENOENT") return missing;
  return code === "EISDIR" ? "it is a folder" : `the system reported ${code}`;
};

/** The text of a file that a person named. */
export const readNamedFile = (
  file: string,
  what: string,
  command: string,
  { expected = "", hint = "Check the path." }: { readonly expected?: string; readonly hint?: string } = {},
): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const state = describeFileError(error, "there is no such file");
    throw usage(what, expected === "" ? state : `${state}, expected ${expected}`, command, hint);
  });

/** Writes a file that a person named. */
export const writeNamedFile = (file: string, content: string | Uint8Array, command: string): Promise<void> =>
  writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    const state = describeFileError(error, "its folder does not exist");
    throw usage(
      `write "${file}"`,
      `${state}, expected a file that can be written`,
      command,
      "Check the path.",
    );
  });

const readFileOrStdin = (file: string, command: string): Promise<string> =>
  file === "-"
    ? readAll(process.stdin)
    : readNamedFile(file, `read the program "${file}"`, command, {
        hint: "Check the path, or give the program itself with -e CODE.",
      });

/** The given program: a file, stdin, or the words themselves. */
export const readProgram = async (
  words: readonly string[],
  options: GivenOptions,
  command: string,
): Promise<string> => {
  const code = readText(options, "eval");
  const given = words.length + (code === undefined ? 0 : 1);
  if (given !== 1) {
    const state =
      given === 0 ? "no program is given, expected" : `${given} programs are given, expected one:`;
    throw usage(command, `${state} a file, "-" for stdin, or -e CODE`, command);
  }
  return code ?? readFileOrStdin(words[0] ?? "-", command);
};

/** The language that is named, that the file's suffix means, or that the program itself shows. */
export const readLanguage = (
  words: readonly string[],
  options: GivenOptions,
  command: string,
  code: string,
): Language | undefined => {
  const named = readChoice(options, "language", languages, command);
  if (named !== undefined) return named;
  const [, suffix] = /\.(py|[mc]?[tj]s)$/i.exec(words[0] ?? "") ?? [];
  if (suffix !== undefined) return suffix.toLowerCase() === "py" ? "python" : undefined;
  const detected = detectLanguage(code);
  if (detected !== "unclear") return detected === "python" ? "python" : undefined;
  throw new CoordinatorError(
    "USAGE",
    "Cannot tell the language of the program: parts of it look like TypeScript, others like Python",
    { hint: "Name it: --language typescript or --language python." },
  );
};

type Pair = { readonly key: string; readonly text: string };

const refuse = (state: string, details?: { readonly pointer: string }): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot read the arguments: ${state}`, {
    hint: 'Give each as key=value, or all of them as \'{"key": "value"}\'.',
    details,
  });

const parse = (text: string): Json | undefined => {
  try {
    return parseJson(text) as Json;
  } catch {
    return undefined;
  }
};

const readPair = (word: string): Pair => {
  const at = word.indexOf("=");
  if (at < 1) throw refuse(`"${word}" has no ${at < 0 ? '"="' : "key"}, expected key=value`);
  return { key: word.slice(0, at), text: word.slice(at + 1) };
};

// A parameter that accepts only strings gets the text as typed, including "42", "true" and "null".
const toValue = ({ key, text }: Pair, schema: JsonSchema | undefined): Json => {
  const parsed = parse(text);
  if (parsed === undefined) return text;
  const field = schema === undefined ? undefined : listFields(schema).find(({ name }) => name === key);
  if (schema === undefined || field === undefined) return parsed;
  const types = listTypes(field.schema, schema);
  const isTextOnly = [...types].every((type) => type === "string" || (type === "null" && parsed !== null));
  return isTextOnly ? text : parsed;
};

/** A JSON object that a person typed. A mistake is shown with its place. */
const readJsonObject = async (text: string, what: string): Promise<JsonObject> => {
  const value = parse(text);
  if (isSchemaObject(value)) return value as JsonObject;
  const mistake = value === undefined ? await findJsonMistake(text) : undefined;
  if (mistake === undefined) throw refuse(`${what} is not a JSON object`);
  const { line, column, wanted, pointer } = mistake;
  throw refuse(`${what} is invalid JSON at line ${line}, column ${column}, expected ${wanted}`, { pointer });
};

/** Words that begin with "{" are a JSON object; all others are key=value. */
const isDocument = (word: string): boolean => word.trimStart().startsWith("{");

/** The arguments of a call. `loadSchema` is called only if a value is ambiguous. */
export const readArguments = async (
  words: readonly string[],
  document: string | undefined,
  loadSchema: () => Promise<JsonSchema>,
): Promise<JsonObject> => {
  const documents = words.filter(isDocument);
  if (documents.length + (document === undefined ? 0 : 1) > 1)
    throw refuse("more than one JSON object is given, expected one");
  const [given] = documents;
  const pairs = words.filter((word) => !isDocument(word)).map(readPair);
  const repeated = pairs.find(({ key }, index) => pairs.findIndex((pair) => pair.key === key) !== index);
  if (repeated !== undefined) throw refuse(`"${repeated.key}" is given twice, expected once`);
  const isAmbiguous = pairs.some(({ text }) => parse(text) !== undefined);
  const schema = isAmbiguous ? await loadSchema() : undefined;
  return {
    ...(document === undefined ? {} : await readJsonObject(document, "--arguments")),
    ...(given === undefined ? {} : await readJsonObject(given, "the argument")),
    ...Object.fromEntries(pairs.map((pair) => [pair.key, toValue(pair, schema)])),
  };
};

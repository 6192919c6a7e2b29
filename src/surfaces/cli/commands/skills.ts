// `skills`: manages saved programs: list, search, show, run, save, test, accept, delete.
import { CoordinatorError, type Json, type JsonObject, parseJson } from "../../../contracts/index.js";
import { withOwnCommand } from "../../../coordinator/index.js";
import {
  type Command,
  type CommandContext,
  type GivenOptions,
  pausedExitCode,
  toExitCode,
} from "../command.js";
import { confirm } from "../prompt/choose.js";
import {
  languageOption,
  misread,
  readArguments,
  readCount,
  readLanguage,
  readProgram,
  readText,
  usage,
} from "../read-words.js";
import { toOneLine } from "../render/plain-text.js";
import { printLog, printResult } from "../render/run.js";
import { printReview, printSkill, printSkills, printTest } from "../render/skills.js";

type Part = (context: CommandContext, words: readonly string[]) => Promise<number>;

const readName = (words: readonly string[], what: string): string => {
  const [name] = words;
  if (name !== undefined && !name.includes("=")) return name;
  throw usage(`${what} a skill`, "its name is missing, expected NAME", "skills");
};

const readVersion = (options: GivenOptions): number | undefined => readCount(options, "version", "skills");

const list: Part = async ({ screen, open, options }) => {
  const tag = readText(options, "tag");
  const category = readText(options, "category");
  const coordinator = await open();
  const found = await coordinator.listSkills({ tag, category });
  if (screen.isJson) screen.document(found);
  else if (found.length === 0)
    screen.note(withOwnCommand('No skill is saved. Save one with "mcp-coordinator skills save".'));
  else printSkills(screen, found);
  return 0;
};

const search: Part = async ({ screen, open, options }, words) => {
  const query = words.join(" ").trim();
  if (query === "") throw usage("search skills", "there is no query, expected some words", "skills");
  const limit = readCount(options, "limit", "skills");
  const coordinator = await open();
  const found = await coordinator.searchSkills({ query, limit });
  if (screen.isJson) screen.document(found);
  else if (found.length === 0) screen.note(`No skill fits "${query}"`);
  else printSkills(screen, found);
  return 0;
};

const show: Part = async ({ screen, open, options }, words) => {
  const name = readName(words, "show");
  const skill = await (await open()).showSkill({ name, version: readVersion(options) });
  if (screen.isJson) screen.document(skill);
  else printSkill(screen, skill);
  return 0;
};

const run: Part = async ({ screen, open, options, signal }, words) => {
  const name = readName(words, "run");
  const version = readVersion(options);
  const timeoutMs = readCount(options, "timeout", "skills");
  const profile = readText(options, "profile");
  const servers = options.texts.server;
  const coordinator = await open();
  const parameters = await readArguments(
    words.slice(1),
    readText(options, "arguments"),
    async () => (await coordinator.showSkill({ name, version })).parameters,
  );
  const result = await screen.during(
    "running",
    coordinator.runSkill({
      name,
      version,
      parameters,
      signal,
      isChecked: options.facts.has("force") ? false : undefined,
      simulate: options.facts.has("simulate") || undefined,
      servers,
      profile,
      limits: timeoutMs === undefined ? undefined : { timeoutMs },
      onLog: screen.isJson ? undefined : (line) => printLog(screen, line),
    }),
  );
  if (screen.isJson) screen.document({ ...result, value: result.value ?? null, error: result.error ?? null });
  else printResult(screen, result, coordinator);
  if (result.status === "paused") return pausedExitCode;
  return result.error === undefined ? 0 : toExitCode(result.error);
};

/** `repo=octo/app`: a literal of the program, parsed as JSON if possible. */
const readMarks = (options: GivenOptions): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    (options.texts.parameter ?? []).map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw usage('read "--parameter"', `"${pair}" has no name, expected NAME=VALUE`, "skills");
      const text = pair.slice(at + 1);
      try {
        return [pair.slice(0, at), parseJson(text) as Json];
      } catch {
        return [pair.slice(0, at), text];
      }
    }),
  );

const save: Part = async ({ screen, open, options }, words) => {
  const name = readName(words, "save");
  const runId = readText(options, "run");
  const files = words.slice(1);
  const code = runId === undefined ? await readProgram(files, options, "skills") : undefined;
  const language = code === undefined ? undefined : readLanguage(files, options, "skills", code);
  const description = readText(options, "description");
  const category = readText(options, "category");
  const coordinator = await open();
  const skill = await screen.during(
    "saving",
    coordinator.saveSkill({
      name,
      code,
      runId,
      language,
      description,
      category,
      tags: options.texts.tag,
      parameters: readMarks(options),
      isChecked: options.facts.has("force") ? false : undefined,
    }),
  );
  if (screen.isJson) screen.document(skill);
  else {
    screen.print(`Saved "${skill.path}", version ${skill.version}`);
    for (const line of [skill.importLine, skill.example])
      screen.print(screen.style("cyan", screen.plain(`  ${line}`)));
    if (skill.failedTest !== undefined)
      screen.warn(
        `It does not pass its recorded test: ${toOneLine(skill.failedTest)}. Record another with "skills test --record"`,
      );
  }
  return 0;
};

const test: Part = async ({ screen, open, options, signal }, words) => {
  const name = readName(words, "test");
  const coordinator = await open();
  const parameters: JsonObject = await readArguments(
    words.slice(1),
    readText(options, "arguments"),
    async () => (await coordinator.showSkill({ name })).parameters,
  );
  const result = await screen.during(
    "testing",
    coordinator.testSkill({
      name,
      version: readVersion(options),
      signal,
      record: options.facts.has("record") ? { parameters } : undefined,
    }),
  );
  if (screen.isJson) screen.document(result);
  else printTest(screen, name, result);
  return result.isPassed ? 0 : 1;
};

const accept: Part = async ({ screen, open, options }, words) => {
  const name = readName(words, "accept");
  const coordinator = await open();
  const skill = await coordinator.reviewSkill({ name, version: readVersion(options) });
  const waiting = skill.files.filter(({ integrity }) => integrity !== "signed");
  if (waiting.length === 0) {
    if (screen.isJson) screen.document({ path: skill.path, isAccepted: true });
    else screen.print(screen.plain(`"${skill.path}" is as it was saved or accepted`));
    return 0;
  }
  if (!screen.isJson) printReview(screen, skill);
  if (!options.facts.has("yes")) {
    if (screen.isJson || !screen.canAsk)
      throw new CoordinatorError(
        "CONFIRMATION_NEEDED",
        `Cannot accept the skill "${skill.path}": there is no terminal to ask for confirmation`,
        { hint: "Read it, then run it again with --yes.", details: skill },
      );
    const text = `Accept "${toOneLine(skill.path)}" as it is shown here?`;
    if (!(await confirm(screen, text))) {
      screen.note("It was not accepted");
      return 1;
    }
  }
  await coordinator.acceptSkill({ name, version: readVersion(options), digest: skill.digest });
  if (screen.isJson) screen.document({ path: skill.path, isAccepted: true });
  else screen.print(screen.plain(`Accepted "${skill.path}"`));
  return 0;
};

const remove: Part = async ({ screen, open, options }, words) => {
  const name = readName(words, "delete");
  const version = readVersion(options);
  const isDeleted = await (await open()).deleteSkill({ name, version });
  if (screen.isJson) screen.document({ isDeleted });
  else screen.print(isDeleted ? `Deleted "${name}"` : `There is no skill "${name}"`);
  return isDeleted ? 0 : 1;
};

const parts: Readonly<Record<string, Part>> = { list, search, show, run, save, test, accept, delete: remove };

export const skills: Command = {
  name: "skills",
  usage: [
    "skills [list] [--tag TAG] [--category CATEGORY]",
    "skills search WORDS",
    "skills show SKILL [--version N]",
    "skills run SKILL [parameter=value …] [--version N] [--force]",
    "skills save NAME FILE [--parameter NAME=VALUE]...",
    "skills save NAME --run RUN_ID [--description TEXT]",
    "skills test SKILL [--record [parameter=value …]]",
    "skills accept SKILL [--version N] [--yes]",
    "skills delete SKILL [--version N]",
  ],
  description:
    "A skill is a folder with a SKILL.md in the configured skills folder. Programs can import it. Saving a skill under an existing name creates its next version. A skill that no longer matches its tools runs only with --force. A skill that was written or edited by hand is marked until you accept it: accept shows it and signs it as it is.",
  examples: [
    ["mcp-coordinator skills save triage t.ts --description 'Labels issues'", "A file with a function"],
    [
      "mcp-coordinator skills save tag p.ts --description Tags --parameter repo=it",
      "A program; that literal becomes a parameter",
    ],
    ["mcp-coordinator skills run triage repo=octo/web", "By name, with parameters"],
    ["mcp-coordinator skills test triage --record repo=octo/web", "Record a real run as its test"],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The code of a skill to save" },
    run: { type: "string", value: "RUN_ID", summary: "Save the program of this run" },
    description: {
      type: "string",
      value: "TEXT",
      summary: "What it does and when to use it (default: the comment of its function)",
    },
    parameter: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      summary: "A literal of the program that becomes a parameter (repeatable)",
    },
    tag: { type: "string", multiple: true, value: "TAG", summary: "A tag to find it by (repeatable)" },
    category: { type: "string", value: "CATEGORY", summary: "Its parent folder" },
    language: languageOption,
    version: { type: "string", value: "N", summary: "A version other than the newest" },
    arguments: { type: "string", value: "JSON", summary: "The parameters as a JSON object" },
    record: { type: "boolean", summary: "Call the servers and store that run as the test" },
    yes: { type: "boolean", short: "y", summary: "Accept without asking" },
    force: { type: "boolean", summary: "Run or save it even if the check fails" },
    simulate: {
      type: "boolean",
      summary: "Answer calls with made-up values of the right type; no server is called",
    },
    server: {
      type: "string",
      multiple: true,
      value: "SERVER",
      summary: "Only this server may be called (repeatable)",
    },
    profile: { type: "string", value: "PROFILE", summary: "Apply a profile of the configuration" },
    timeout: { type: "string", value: "MS", summary: "Stop it after this many milliseconds" },
    limit: { type: "string", value: "N", summary: "Maximum number of hits" },
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace; shared skills are in every workspace",
    },
  },
  run: async (context) => {
    const [word = "list", ...words] = context.words;
    const part = Object.hasOwn(parts, word) ? parts[word] : undefined;
    if (part === undefined) throw misread("skills", context.words, Object.keys(parts));
    const workspace = readText(context.options, "workspace");
    if (workspace === undefined) return part(context, words);
    return part({ ...context, open: (more) => context.open({ ...more, settings: { workspace } }) }, words);
  },
};

// Turns a program into a skill: makes it a module, checks it, pins its tools and writes a folder with a SKILL.md.
import { makeExample } from "../../catalog/index.js";
import { type SkillFunction, toFunctionName } from "../../checker/index.js";
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type Language,
  type NewSkill,
  type ProgramDiagnostic,
  type SkillPin,
  type SkillSource,
  type StoredSkill,
  type Tool,
} from "../../contracts/index.js";
import { isSchemaObject, listFields } from "../../schema/index.js";
import { toDescription } from "../../store/index.js";
import { readSkillFunction, toSkillModule } from "../checks/checker.js";
import type { Host } from "../host/host.js";
import { type RunReference, readRun } from "../runs/list-runs.js";
import { toRunRights } from "../runs/run-rights.js";
import { checkSkillText, pinTools } from "./check-skill.js";
import { type InWorkspace, renderSkillCall } from "./find-skill.js";

export interface SaveSkillRequest extends InWorkspace {
  readonly name: string;
  /** What it does and when to use it. @default the function's comment */
  readonly description?: string | undefined;
  /** A module that exports a function, or a program. */
  readonly code?: string | undefined;
  /** Instead of code: a completed run, whose program is saved. */
  readonly runId?: string | undefined;
  readonly language?: Language | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Folders above it, e.g. `research/web`. */
  readonly category?: string | undefined;
  /** Literals of a program that become parameters: name → the current value. */
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
  /** Refuse code that certainly contains a mistake. @default true */
  readonly isChecked?: boolean | undefined;
}

export interface SkillTextFacts {
  readonly name: string;
  readonly category: string | undefined;
  readonly description: string;
  readonly language: Language;
  readonly found: SkillFunction;
  readonly pins: readonly SkillPin[];
}

const toTypeName = (schema: unknown): string => {
  if (!isSchemaObject(schema)) return "any value";
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  return typeof schema.type === "string" ? schema.type : "any value";
};

const renderParameters = ({ parameters }: SkillFunction): readonly string[] =>
  listFields(parameters).map(
    ({ name, schema, isRequired }) => `- \`${name}\`: ${toTypeName(schema)}${isRequired ? "" : ", optional"}`,
  );

const toWords = (values: JsonObject): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");

const renderSkillText = ({ name, category, description, language, found, pins }: SkillTextFacts): string => {
  const path = category === undefined ? name : `${category.toLowerCase()}/${name}`;
  const isPython = language === "python";
  const module = isPython ? `skills.${path.replaceAll("/", ".").replaceAll("-", "_")}` : `skills/${path}`;
  const line = isPython
    ? `from ${module} import ${found.name}`
    : `import ${found.isDefault ? found.name : `{ ${found.name} }`} from "${module}";`;
  const values = makeExample({ name, inputSchema: found.parameters } as Tool) ?? {};
  const parameters = renderParameters(found);
  return [
    `# ${name.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase())}`,
    "",
    description.replace(/\s+/g, " ").trim(),
    "",
    "## Use",
    "",
    "In a program of mcp-coordinator:",
    "",
    `\`\`\`${isPython ? "python" : "ts"}`,
    line,
    renderSkillCall(language, found, values) + (isPython ? "" : ";"),
    "```",
    "",
    `On the command line: \`mcp-coordinator skills run ${path}${toWords(values)}\``,
    "",
    `Signature: \`${found.signature.replaceAll("`", "'")}\``,
    ...(parameters.length === 0 ? [] : ["", "## Parameters", "", ...parameters]),
    ...(pins.length === 0
      ? []
      : ["", "## Calls", "", ...pins.map(({ server, tool }) => `- \`${server}.${tool}\``)]),
  ].join("\n");
};

interface Material {
  readonly code: string;
  readonly language: Language;
  readonly from: SkillSource;
  readonly cassette?: string | undefined;
}

const usage = (message: string, hint?: string): CoordinatorError =>
  new CoordinatorError("USAGE", message, { hint });

export const writeSkill = async (
  host: Host,
  request: SaveSkillRequest,
  source: SkillSource,
  { isSigned = true } = {},
): Promise<StoredSkill> => {
  const material = await readMaterial(host, request, source);
  const { language, from } = material;
  const parameters = request.parameters ?? {};
  // Only the words: the store decides which name is free.
  const functionName = toFunctionName(request.name.replace(/([a-z0-9])([A-Z])/g, "$1 $2"), language);
  const code = await toSkillModule(host.requester, {
    code: material.code,
    language,
    functionName,
    parameters,
  });
  const found = await readSkillFunction(host.requester, code, { name: functionName, language });
  if (found === undefined)
    throw usage(
      `Cannot save the skill "${request.name}": its code exports no function`,
      `Export one: export const ${functionName} = async (...) => { ... }`,
    );
  const file = `${functionName}/scripts/main.${language === "python" ? "py" : "ts"}`;
  const checked = await checkSkillText(host, { language, file, source: code });
  if (request.isChecked !== false) refuseMistakes(request.name, checked.diagnostics);
  const description = request.description?.trim() || found.description;
  if (description === "")
    throw usage(
      `Cannot save the skill "${request.name}": it has no description`,
      "Give a description, or write a comment above the function: what it does and when to use it.",
    );
  const pins = await pinTools(host, checked.manifest);
  const skill: NewSkill = {
    title: request.name,
    description,
    tags: toTags(request.tags ?? []),
    category: request.category,
    language,
    code,
    pins,
    from,
    toDocument: (name) =>
      renderSkillText({ name, category: request.category, description, language, found, pins }),
    cassette:
      material.cassette === undefined
        ? undefined
        : { text: material.cassette, parameters: parameters as JsonObject },
  };
  const store = await host.skills.open();
  const saved = await store.save(skill);
  if (!isSigned) return saved;
  // What was given is signed, whatever the files contain by now.
  const { code: given, tags } = skill;
  const text = given.endsWith("\n") ? given : `${given}\n`;
  const signed = { ...saved, source: text, description: toDescription(description), tags };
  // Without its signature it is listed as unsigned.
  await host.skills.signing.sign(signed).catch(() => {});
  return saved;
};

const readMaterial = async (
  host: Host,
  { name, code, runId, language, workspace }: SaveSkillRequest,
  source: SkillSource,
): Promise<Material> => {
  const { limits } = toRunRights(host, { code: "" });
  if ((code === undefined) === (runId === undefined))
    throw usage(`Cannot save the skill "${name}": expected either its code or the id of a run`);
  const found =
    runId === undefined
      ? { code: code ?? "", language: language ?? "typescript", from: source }
      : await readProgramOf(host, { runId, workspace });
  const bytes = Buffer.byteLength(found.code);
  if (bytes > limits.codeBytes)
    throw new CoordinatorError(
      "LIMIT_CODE",
      `Cannot save the skill "${name}": its code has ${bytes} bytes, at most ${limits.codeBytes} are allowed`,
    );
  return found;
};

/** The program of a stored run, and the run as its test. */
const readProgramOf = async (host: Host, run: RunReference): Promise<Material> => {
  const { runId } = run;
  const reader = await readRun(host, run);
  const { status, started } = reader.recorded;
  if (status !== "completed")
    throw usage(
      `Cannot save the run "${runId}" as a skill: its status is "${status}", expected "completed"`,
      "Resume it until it completes, or save another run.",
    );
  return {
    code: await reader.readProgram(),
    language: started.language,
    from: { kind: "run", runId },
    cassette: await (await host.openWorkspace(run.workspace)).runs.exportCassette(runId),
  };
};

const refuseMistakes = (name: string, diagnostics: readonly ProgramDiagnostic[]): void => {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) return;
  const { file, line, column, excerpt, message, hint } = first;
  throw new CoordinatorError("PROGRAM_INVALID", `Cannot save the skill "${name}": line ${line}: ${message}`, {
    hint,
    details: { file, line, column, excerpt, diagnostics },
  });
};

const toTags = (tags: readonly string[]): readonly string[] =>
  [...new Set(tags.map((tag) => tag.replace(/[\s,]+/g, " ").trim()))]
    .filter((tag) => tag !== "")
    .map((tag) => tag.slice(0, 50))
    .slice(0, 20);

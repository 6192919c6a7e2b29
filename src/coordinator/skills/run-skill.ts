// Runs a skill by name, tests it against a recording or simulated servers, and saves a program as a skill or as its next version.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { makeExample, validateArguments } from "../../catalog/index.js";
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type RunRequest,
  type RunResult,
  type Runs,
  type SkillSource,
  type StoredSkill,
  toCoordinatorError,
} from "../../contracts/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { labelSavedSkill } from "../policies/conversation-labels.js";
import { openCassetteJournal } from "../runs/cassette-journal.js";
import { openNewJournal } from "../runs/new-journal.js";
import { answerQuestions } from "../runs/resume-run.js";
import { type RunOptions, runCode } from "../runs/run-code.js";
import { toExactArguments } from "../servers/call-tool.js";
import { refuseBroken } from "./check-skill.js";
import {
  type DescribedSkill,
  describeSkill,
  findSkill,
  renderSkillCall,
  type SkillName,
} from "./find-skill.js";
import { type SkillDescription, toSkillDescription } from "./list-skills.js";
import { verifySkill } from "./sign-skills.js";
import { type SaveSkillRequest, writeSkill } from "./write-skill.js";

export type RunSkillRequest = Omit<RunRequest, "code" | "language" | "session" | "workspace"> &
  SkillName & { readonly parameters?: JsonObject | undefined };

export const runSkill = async (
  all: Host,
  { name, version, parameters = {}, workspace, ...rest }: RunSkillRequest,
): Promise<RunResult> => {
  const host = forWorkspace(all, workspace);
  const request = { ...rest, workspace };
  const skill = await findSkill(host, { name, version });
  return answerQuestions(host, request, await runStored(host, skill, parameters, request));
};

/** Runs a skill that has already been found. */
const runStored = async (
  host: Host,
  skill: StoredSkill,
  given: JsonObject,
  request: Omit<RunRequest, "code" | "language">,
  options: RunOptions = {},
): Promise<RunResult> => {
  const parameters = toExactArguments(given, `run the skill "${skill.path}"`);
  const described = await describeSkill(host, skill);
  if (described === undefined)
    throw new CoordinatorError(
      "SKILL_BROKEN",
      `Cannot run the skill "${skill.path}": it exports no function`,
      { hint: "Export a function from its file." },
    );
  validateParameters(skill, described, parameters);
  await verifySkill(host, skill);
  if (request.isChecked !== false) await refuseBroken(host, skill);
  const call = renderSkillCall(skill.language, described.function, parameters);
  const code =
    skill.language === "python"
      ? `${described.importLine}\n${call}\n`
      : `${described.importLine}\nreturn ${call};\n`;
  return runCode(host, { ...request, code, language: skill.language }, options);
};

/** Rewords an error about a tool's arguments for a skill. */
const validateParameters = (skill: StoredSkill, { tool }: DescribedSkill, parameters: JsonObject): void => {
  try {
    validateArguments({ ...tool, server: "skills", name: skill.path }, parameters);
  } catch (thrown) {
    if (!(thrown instanceof CoordinatorError)) throw thrown;
    throw new CoordinatorError(
      thrown.code,
      thrown.message.replace(/^Cannot call "[^"]*"/, `Cannot run the skill "${skill.path}"`),
      { hint: thrown.hint },
    );
  }
};

export interface TestSkillRequest extends SkillName {
  /** Call the servers once more and record that as the test. */
  readonly record?: { readonly parameters?: JsonObject | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SkillTest {
  readonly isPassed: boolean;
  /** `cassette`: a recorded run. `simulation`: generated answers that fit the tools' types. */
  readonly by: "cassette" | "simulation" | "recording";
  readonly parameters: JsonObject;
  readonly reason?: string | undefined;
  readonly run: RunResult;
}

export const testSkill = async (
  all: Host,
  { name, version, record, signal, workspace }: TestSkillRequest,
): Promise<SkillTest> => {
  const host = forWorkspace(all, workspace);
  const skill = await findSkill(host, { name, version });
  const request = { signal, workspace };
  const cassette = await (await host.skills.open()).readCassette(skill);
  if (record !== undefined) return recordTest(host, skill, record.parameters ?? {}, request);
  if (cassette !== undefined) return replayTest(host, skill, cassette, request);
  const described = await describeSkill(host, skill);
  const parameters = (described === undefined ? undefined : makeExample(described.tool)) ?? {};
  const run = await runStored(host, skill, parameters, { ...request, simulate: true }, { isTest: true });
  return { ...toVerdict(run), by: "simulation", parameters, run };
};

const toVerdict = (run: RunResult): Pick<SkillTest, "isPassed" | "reason"> =>
  run.status === "completed"
    ? { isPassed: true }
    : { isPassed: false, reason: run.error?.message ?? `the run was ${run.status}` };

const openRuns = async (host: Host, { workspace }: TestRequest): Promise<Runs> =>
  (await host.openWorkspace(workspace)).runs;

/** The value that a run returned. A recording has a whole result or the value alone. */
const readValue = (result: Json | undefined): Json | undefined =>
  typeof result === "object" && result !== null && !Array.isArray(result) && "status" in result
    ? result.value
    : result;

type TestRequest = Pick<RunRequest, "signal" | "workspace" | "limits">;

/** How long saving a skill waits for its test. */
const maxTestMs = 10_000;

/** Why a skill fails its recorded test. Undefined if it passes. */
const findTestFailure = async (host: Host, skill: StoredSkill): Promise<string | undefined> => {
  const cassette = await (await host.skills.open()).readCassette(skill);
  if (cassette === undefined) return undefined;
  const { workspace } = host.requester;
  try {
    const request = { workspace, limits: { timeoutMs: maxTestMs } };
    return (await replayTest(host, skill, cassette, request)).reason;
  } catch (thrown) {
    return toCoordinatorError(thrown).message;
  }
};

const replayTest = async (
  host: Host,
  skill: StoredSkill,
  cassette: string,
  request: TestRequest,
): Promise<SkillTest> => {
  const runs = await openRuns(host, request);
  const recorded = await runs.openCassette(cassette);
  const parameters = skill.record?.testParameters ?? {};
  const runId = `test-${randomUUID()}`;
  const run = await runStored(host, skill, parameters, request, {
    openJournal: () => openCassetteJournal(runId, recorded),
    isTest: true,
  });
  const [missing] = recorded.run.left();
  recorded.run.close();
  const facts = { by: "cassette", parameters, run } as const;
  if (run.status === "completed" && missing !== undefined)
    return {
      ...facts,
      isPassed: false,
      reason: `It no longer makes call ${missing.sequence} of the recording, "${missing.server}.${missing.tool}"`,
    };
  const expected = readValue(recorded.result);
  const isSame = recorded.result === undefined || isDeepStrictEqual(toPlain(run.value), toPlain(expected));
  if (run.status !== "completed" || isSame) return { ...facts, ...toVerdict(run) };
  const [found, wanted] = [run.value, expected].map((value) =>
    (JSON.stringify(value) ?? "nothing").slice(0, 200),
  );
  return { ...facts, isPassed: false, reason: `It returned ${found}, the recording has ${wanted}` };
};

const toPlain = (value: Json | undefined): Json => (value === undefined ? null : value);

/** Calls the real servers once and stores their answers beside the skill. */
const recordTest = async (
  host: Host,
  skill: StoredSkill,
  parameters: JsonObject,
  request: TestRequest,
): Promise<SkillTest> => {
  const runs = await openRuns(host, request);
  const runId = `test-${randomUUID()}`;
  try {
    const run = await runStored(host, skill, parameters, request, {
      openJournal: (given) => openNewJournal(withJournal(host), given, runId),
      isTest: true,
    });
    await host.deferred.flush();
    if (run.status === "completed")
      await (await host.skills.open()).writeCassette(skill, await runs.exportCassette(runId), parameters);
    return { ...toVerdict(run), by: "recording", parameters, run };
  } finally {
    await runs.remove(runId).catch(() => undefined);
  }
};

/** A recording was requested, so make one even if runs are not stored. */
const withJournal = (host: Host): Host => {
  const { configuration } = host;
  return {
    ...host,
    configuration: { ...configuration, settings: { ...configuration.settings, journal: "on" } },
  };
};

export type UpdateSkillRequest = Partial<Omit<SaveSkillRequest, "name" | "category" | "runId">> &
  Pick<SaveSkillRequest, "name">;

export const saveSkill = async (
  all: Host,
  request: SaveSkillRequest,
  source: SkillSource = { kind: "library" },
  options: { readonly isSigned?: boolean } = {},
): Promise<SkillDescription> => {
  const host = forWorkspace(all, request.workspace);
  await labelSavedSkill(host, request);
  const skill = await writeSkill(host, request, source, options);
  const described = await toSkillDescription(host, skill);
  if (request.runId !== undefined || !described.hasTest) return described;
  return { ...described, failedTest: await findTestFailure(host, skill) };
};

export const updateSkill = async (all: Host, request: UpdateSkillRequest): Promise<SkillDescription> => {
  const host = forWorkspace(all, request.workspace);
  const before = await findSkill(host, { name: request.name });
  const { category } = before;
  const updated = {
    description: before.description,
    tags: before.tags,
    language: before.language,
    code: before.source,
    ...request,
    name: before.record?.title ?? before.name,
    category,
  };
  // Nobody has seen what stays of a skill that was edited outside.
  const isWhole = [request.code, request.description, request.tags].every((part) => part !== undefined);
  const isSigned = isWhole || (await host.skills.signing.verify(before)) === "signed";
  return saveSkill(host, updated, { kind: "library" }, { isSigned });
};

// Tests a skill: against a recording of its calls, or against simulated servers where there is none.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { bindArguments, makeExample } from "../catalog/index.js";
import {
  type GuestCall,
  type HostFunctions,
  type IssuedCall,
  type Json,
  type JsonObject,
  type OpenRun,
  type RunResult,
  type Runs,
  type StoredSkill,
  toCoordinatorError,
} from "../contracts/index.js";
import { findTool, forWorkspace, type Rooms } from "./opening/rooms.js";
import { runStored } from "./run-skill.js";
import { toEndedStatus } from "./running/read-result.js";
import { describeSkill, findSkill } from "./shelf/find-skill.js";
import type { SkillTest, TestSkillRequest } from "./skills.js";

export const testSkill = async (
  all: Rooms,
  { name, version, record, signal, workspace }: TestSkillRequest,
): Promise<SkillTest> => {
  const rooms = forWorkspace(all, workspace);
  const skill = await findSkill(rooms, { name, ...(version === undefined ? {} : { version }) });
  const request = {
    ...(signal === undefined ? {} : { signal }),
    ...(workspace === undefined ? {} : { workspace }),
  };
  const cassette = await (await rooms.skills.open()).readCassette(skill);
  if (record !== undefined) return recordTest(rooms, skill, record.parameters ?? {}, request);
  if (cassette !== undefined) return replayTest(rooms, skill, cassette, request);
  const described = await describeSkill(skill);
  const parameters = (described === undefined ? undefined : makeExample(described.tool)) ?? {};
  const run = await runStored(rooms, skill, parameters, { ...request, simulate: true }, { isTest: true });
  return { ...judge(run), by: "simulation", parameters, run };
};

const judge = (run: RunResult): Pick<SkillTest, "isPassed" | "reason"> =>
  run.status === "completed"
    ? { isPassed: true }
    : { isPassed: false, reason: run.error?.message ?? `the run was ${run.status}` };

const openRuns = async (rooms: Rooms, { workspace }: TestRequest): Promise<Runs> =>
  (await rooms.workspaces.open(workspace)).runs;

type Call = HostFunctions["call"];

/** A call as the journal has it: the tool by its own name, its arguments by theirs. */
const toIssued = async (rooms: Rooms, call: GuestCall): Promise<IssuedCall> => {
  const tool = await findTool(rooms, call.server, call.tool);
  const value = bindArguments(tool, JSON.parse(call.argumentsJson) as Json[]);
  return {
    server: tool.server,
    tool: tool.name,
    arguments: value,
    effect: tool.isReadOnly ? "read" : "write",
    ...(call.isRaw ? { isRaw: true } : {}),
  };
};

const isTool = ({ server }: GuestCall): boolean => !server.startsWith("\u0000");

/** Every call goes by the journal: one that it has is answered from it, another is made where that is allowed. */
const journalled =
  (rooms: Rooms, run: OpenRun, onDifference: (message: string) => void) =>
  (make: Call): Call =>
  async (call, signal) => {
    if (!isTool(call)) return make(call, signal);
    try {
      const startedAt = performance.now();
      const turn = await run.issue(await toIssued(rooms, call));
      if (turn.kind === "answered") return turn.answer;
      if (turn.kind === "fresh") {
        const answer = await make(call, signal);
        const durationMs = performance.now() - startedAt;
        await run.answer(turn.sequence, { decision: "allowed", answer, durationMs });
        return answer;
      }
      const message = turn.kind === "differs" ? turn.difference.message : turn.message;
      onDifference(message);
      return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message };
    } catch (thrown) {
      const { code, message } = toCoordinatorError(thrown);
      return { status: "failed", name: "ToolError", code, message };
    }
  };

/** What a run returned, whoever recorded it. */
const readValue = (result: Json | undefined): Json | undefined =>
  typeof result === "object" && result !== null && !Array.isArray(result) && "status" in result
    ? result.value
    : result;

type TestRequest = { readonly signal?: AbortSignal; readonly workspace?: string };

const replayTest = async (
  rooms: Rooms,
  skill: StoredSkill,
  cassette: string,
  request: TestRequest,
): Promise<SkillTest> => {
  const runs = await openRuns(rooms, request);
  const recorded = await runs.openCassette(cassette);
  const parameters = skill.record?.testParameters ?? {};
  let difference: string | undefined;
  const wrapCall = journalled(rooms, recorded.run, (message) => {
    difference ??= message;
  });
  const run = await runStored(rooms, skill, parameters, request, { wrapCall, isTest: true });
  recorded.run.close();
  const facts = { by: "cassette", parameters, run } as const;
  if (difference !== undefined) return { ...facts, isPassed: false, reason: difference };
  const expected = readValue(recorded.result);
  const isSame = recorded.result === undefined || isDeepStrictEqual(toPlain(run.value), toPlain(expected));
  if (run.status !== "completed" || isSame) return { ...facts, ...judge(run) };
  const [found, wanted] = [run.value, expected].map((value) =>
    (JSON.stringify(value) ?? "nothing").slice(0, 200),
  );
  return { ...facts, isPassed: false, reason: `It returned ${found}, the recording has ${wanted}` };
};

const toPlain = (value: Json | undefined): Json => (value === undefined ? null : value);

/** The servers are really called, once; what they answered is kept beside the skill. */
const recordTest = async (
  rooms: Rooms,
  skill: StoredSkill,
  parameters: JsonObject,
  request: TestRequest,
): Promise<SkillTest> => {
  const runs = await openRuns(rooms, request);
  const runId = randomUUID();
  const open = await runs.begin({ runId, language: skill.language, code: skill.source });
  try {
    const run = await runStored(rooms, skill, parameters, request, {
      wrapCall: journalled(rooms, open, () => {}),
      isTest: true,
    });
    const { status, durationMs, value } = run;
    await open.end({
      status: toEndedStatus(status),
      durationMs,
      result: { status, ...(value === undefined ? {} : { value }) },
    });
    if (status === "completed") {
      const text = await runs.exportCassette(runId);
      await (await rooms.skills.open()).writeCassette(skill, text, parameters);
    }
    return { ...judge(run), by: "recording", parameters, run };
  } finally {
    open.close();
    await runs.remove(runId).catch(() => undefined);
  }
};

// Validates the requests of library functions, so that callers without types get an error with a code.
import { CoordinatorError } from "../../contracts/index.js";
import type { Coordinator } from "../coordinator.js";

/** Fields that are strings in every request. */
const texts = [
  ...["code", "server", "tool", "name", "uri", "workspace", "path", "session"],
  ...["runId", "planId", "id", "cassette", "token", "folder"],
] as const;

/** The same, and fields that are strings in a single request. */
export type TextField = (typeof texts)[number] | "query" | "asked" | "shown" | "value" | "frame" | "client";

const refuse = (what: string, given: unknown, wanted: string): CoordinatorError =>
  new CoordinatorError(
    "USAGE",
    `Cannot use the request: ${what} is ${given === null ? "null" : typeof given}, expected ${wanted}`,
    { hint: "See docs/library.md for what each function takes." },
  );

/** Throws USAGE unless it is an object. The verb checks the fields. */
export const checkObject = (given: unknown): void => {
  if (typeof given !== "object" || given === null) throw refuse("it", given, "an object");
};

/** Throws USAGE. `required` lists the strings that the request must have. Without any, the request may be left out. */
export const checkRequest = (given: unknown, required: readonly TextField[] = []): void => {
  if (given === undefined && required.length === 0) return;
  checkObject(given);
  const fields = given as Fields;
  for (const name of new Set<TextField>([...texts, ...required])) {
    const value = fields[name];
    if (typeof value !== "string" && (value !== undefined || required.includes(name)))
      throw refuse(`"${name}"`, value, "a text");
  }
};

type Fields = Readonly<Record<string, unknown>>;
type Check = "object" | "text" | readonly TextField[] | ((request: Fields) => readonly TextField[]);

const run: Check = ["runId"];
const skill: Check = ["name"];
const session: Check = ["session"];
/** A new run or a stored one. */
const started: Check = (request) => (Object.hasOwn(request, "runId") ? ["runId"] : ["code"]);
/** One query, or several. */
const searched: Check = ({ query }) =>
  Array.isArray(query) && query.every((one) => typeof one === "string") ? [] : ["query"];

/** The required fields of each verb. Verbs that accept any request are not listed. */
const checks: { readonly [Verb in keyof Coordinator]?: Check } = {
  ...{ runCode: ["code"], startRun: started, checkCode: ["code"], callTool: ["server", "tool"] },
  ...{
    showServer: ["server"],
    repairServer: ["server"],
    showTool: ["server", "tool"],
    searchTools: searched,
    listTools: [],
  },
  ...{
    addServer: ["name"],
    findServers: ({ query }) => (query === undefined ? [] : ["query"]),
    listServers: [],
    fetchServers: [],
    addTools: "object",
    showAnswer: "object",
  },
  ...{ noteSearch: ["asked", "shown"], outlineCatalog: ["frame"], countTokens: "text", readStatistics: [] },
  ...{ readResource: ["uri"], listResources: [], getPrompt: ["name"], completeName: ["value"] },
  ...{ generateLibrary: ["folder"], setUpSandbox: "object", diagnose: [], readMeter: run },
  ...{ readQuestion: run, resumeRun: run, showRun: run, runStatus: run, waitForRun: run, cancelRun: run },
  ...{ exportRun: run, commitPlan: ["planId"], replayRun: ["cassette"], listRuns: [] },
  ...{ showSession: session, saveCheckpoint: session, resumeSession: session, resetSession: session },
  ...{ listSessionLogs: [], listKept: [], readKept: ["id"] },
  ...{ saveSkill: skill, updateSkill: skill, showSkill: skill, deleteSkill: skill, readSkillFiles: skill },
  ...{ runSkill: skill, testSkill: skill, searchSkills: ["query"], listSkills: [] },
  ...{ removeWorkspace: ["workspace"], removeInactiveWorkspaces: "object", listWorkspaceFiles: [] },
  ...{ readWorkspaceFile: ["path"], addCaller: ["name"], renewCaller: ["name"], removeCaller: ["name"] },
  ...{ findCaller: ["token"] },
};

const check = (given: unknown, wanted: Check): void => {
  if (wanted === "object") checkObject(given);
  else if (typeof wanted === "function") {
    if (given !== undefined) checkObject(given);
    checkRequest(given, wanted((given ?? {}) as Fields));
  } else if (wanted !== "text") checkRequest(given, wanted);
  else if (typeof given !== "string") throw refuse("it", given, "a text");
};

/** Makes every verb check its request first. */
export const guardRequests = (coordinator: Coordinator): Coordinator => {
  for (const [name, wanted] of Object.entries(checks)) {
    const verb = coordinator[name as keyof Coordinator] as (given: unknown) => Promise<unknown>;
    const guarded = async (given: unknown): Promise<unknown> => {
      check(given, wanted);
      return verb(given);
    };
    Object.assign(coordinator, { [name]: guarded });
  }
  return coordinator;
};

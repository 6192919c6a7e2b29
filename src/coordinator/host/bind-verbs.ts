// Binds the verbs to a host as methods that check their requests, so that callers without types get an error with a code.
import { CoordinatorError } from "../../contracts/index.js";
import { forCaller } from "../policies/open-policies.js";
import type { Host } from "./host.js";

/** Fields that are strings in every request. */
const texts = [
  "code",
  "server",
  "tool",
  "name",
  "uri",
  "workspace",
  "path",
  "session",
  "runId",
  "planId",
  "id",
  "cassette",
  "token",
  "folder",
] as const;

/** The same, and fields that are strings in a single request. */
export type TextField =
  | (typeof texts)[number]
  | "query"
  | "document"
  | "asked"
  | "shown"
  | "value"
  | "frame"
  | "client"
  | "digest";

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

/** Throws USAGE unless it is a string. */
export const checkText = (given: unknown): void => {
  if (typeof given !== "string") throw refuse("it", given, "a string");
};

/** Throws USAGE. `required` lists the strings that the request must have. Without any, the request may be left out. */
export const checkRequest = (given: unknown, required: readonly TextField[] = []): void => {
  if (given === undefined && required.length === 0) return;
  checkObject(given);
  const fields = given as Fields;
  const checkField = (name: TextField): void => {
    const value = fields[name];
    if (typeof value !== "string" && (value !== undefined || required.includes(name)))
      throw refuse(`"${name}"`, value, "a string");
  };
  texts.forEach(checkField);
  required.forEach(checkField);
};

type Fields = Readonly<Record<string, unknown>>;
type Check = "object" | readonly TextField[] | ((request: Fields) => readonly TextField[]);

const none: Check = [];
const run: Check = ["runId"];
const skill: Check = ["name"];
const session: Check = ["session"];
/** A new run or a stored one. */
const started: Check = (request) => (Object.hasOwn(request, "runId") ? ["runId"] : ["code"]);
/** One query or several, or names of tools. */
const searched: Check = ({ query, names }) => {
  const isTexts = (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts(query) || (query === undefined && isTexts(names)) ? [] : ["query"];
};

type Verbs = typeof import("../verbs.js");

/** Every verb with the fields that its request must have. */
const checks: { readonly [Name in keyof Verbs]: Check } = {
  runCode: ["code"],
  startRun: started,
  checkCode: ["code"],
  callTool: ["server", "tool"],
  listServers: none,
  showServer: ["server"],
  repairServer: ["server"],
  fetchServers: none,
  listTools: none,
  showTool: ["server", "tool"],
  searchTools: searched,
  addServer: ["name"],
  login: ["server"],
  logout: ["server"],
  listAccounts: none,
  continueRuns: ["server"],
  exportShapes: none,
  importShapes: ["document"],
  findServers: ({ query }) => (query === undefined ? [] : ["query"]),
  addTools: "object",
  showAnswer: "object",
  checkApprovals: none,
  checkPolicy: none,
  diagnose: none,
  listPins: none,
  reviewPins: ["server"],
  acceptPins: ["server"],
  explainCall: ["server", "tool"],
  testPolicy: ["path"],
  listAudit: none,
  verifyAudit: none,
  exportAudit: ["path"],
  noteSearch: ["asked", "shown"],
  readStatistics: none,
  readMeter: run,
  openDirect: "object",
  listResources: none,
  listResourceTemplates: none,
  readResource: ["uri"],
  readOffered: "object",
  listPrompts: none,
  getPrompt: ["name"],
  completeName: ["value"],
  generateLibrary: ["folder"],
  setUpSandbox: "object",
  readQuestion: run,
  resumeRun: run,
  showRun: run,
  runStatus: run,
  waitForRun: run,
  cancelRun: run,
  exportRun: run,
  commitPlan: ["planId"],
  replayRun: ["cassette"],
  listRuns: none,
  readStateKey: none,
  planUndo: run,
  undoRun: run,
  showSession: session,
  saveCheckpoint: session,
  resumeSession: session,
  resetSession: session,
  removeSession: session,
  listSessions: none,
  listSessionLogs: none,
  listStoredValues: none,
  readStoredValue: ["id"],
  saveSkill: skill,
  updateSkill: skill,
  showSkill: skill,
  deleteSkill: skill,
  readSkillFiles: skill,
  reviewSkill: skill,
  acceptSkill: ["name", "digest"],
  runSkill: skill,
  testSkill: skill,
  searchSkills: ["query"],
  listSkills: none,
  listWorkspaces: none,
  removeWorkspace: ["workspace"],
  removeInactiveWorkspaces: "object",
  listWorkspaceFiles: none,
  readWorkspaceFile: ["path"],
  listCallers: none,
  addCaller: ["name"],
  renewCaller: ["name"],
  removeCaller: ["name"],
  findCaller: ["token"],
};

const check = (given: unknown, wanted: Check): void => {
  if (wanted === "object") checkObject(given);
  else if (typeof wanted === "function") {
    if (given !== undefined) checkObject(given);
    checkRequest(given, wanted((given ?? {}) as Fields));
  } else checkRequest(given, wanted);
};

type Bound<Verb> = Verb extends (host: Host, ...request: infer Request) => Promise<infer Result>
  ? (...request: Request) => Promise<Result>
  : never;

/** The verbs as methods: each checks its request, opens the host and loads the verbs on first use. */
export const bindVerbs = (
  openHost: () => Promise<Host>,
  loadVerbs: () => Promise<Verbs>,
): { readonly [Name in keyof Verbs]: Bound<Verbs[Name]> } => {
  const bind = ([name, wanted]: readonly [string, Check]) => {
    const verb = async (given: unknown): Promise<unknown> => {
      check(given, wanted);
      const [host, verbs] = await Promise.all([openHost(), loadVerbs()]);
      const caller = (given as Fields | undefined)?.caller;
      return (verbs[name as keyof Verbs] as (host: Host, given: unknown) => Promise<unknown>)(
        forCaller(host, caller),
        given,
      );
    };
    return [name, verb] as const;
  };
  return Object.fromEntries(Object.entries(checks).map(bind)) as ReturnType<typeof bindVerbs>;
};

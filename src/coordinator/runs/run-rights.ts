// The rights of one run: the settings, narrowed by its profile, then by its request; and what a journal stores of them.
import {
  approvalRule,
  approvalRuleWanted,
  CoordinatorError,
  defaultLimits,
  type EffectManifest,
  type JsonObject,
  type Limits,
  limitTable,
  type Profile,
  type RunRequest,
  type Tool,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { findServer, type Host, quoteList, suggestNames } from "../host/host.js";

export interface RunRights {
  readonly limits: Limits;
  /** The servers that may be called. Undefined means all. */
  readonly servers: readonly string[] | undefined;
  readonly packages: readonly string[];
  readonly allowedHosts: readonly string[];
  /** Python modules that may not be imported. */
  readonly deniedModules: readonly string[];
  /** Calls that need approval. */
  readonly approve: readonly string[];
  readonly profile: Profile;
}

/** Throws for an unknown profile, server or limit. */
export const toRunRights = (host: Host, request: RunRequest): RunRights => {
  const { settings } = host.configuration;
  const profile = findProfile(settings.profiles, request.profile);
  const wrong = request.approve?.find((rule) => !approvalRule.test(rule));
  if (wrong !== undefined)
    throw new CoordinatorError(
      "USAGE",
      `Cannot run with the rule "${wrong}" for approval: it matches no call, expected ${approvalRuleWanted}`,
    );
  const fromProfile = profile.servers?.map((name) => findServer(host, name).name);
  const fromRequest = request.servers?.map((name) => findServer(host, name).name);
  return {
    limits: lowerLimits(
      toLimits({ ...settings.limits, ...profile.limits }, request.limits, request.profile !== undefined),
      request.agentLimits,
    ),
    servers:
      fromProfile === undefined
        ? fromRequest
        : (fromRequest?.filter((name) => fromProfile.includes(name)) ?? fromProfile),
    packages:
      profile.packages === undefined
        ? settings.packages
        : settings.packages.filter((name) => profile.packages?.includes(name)),
    allowedHosts: profile.network?.allow ?? settings.network.allow,
    deniedModules: [...settings.python.deny, ...(profile.deny ?? [])],
    // A resumed run brings the rules that it started with. Repeated, they would be another policy, and its approval would not hold.
    approve: [...new Set([...settings.approve, ...(profile.approve ?? []), ...(request.approve ?? [])])],
    profile,
  };
};

/** The error for a server that the run may not use. */
export const serverNotAllowed = (
  server: string,
  allowed: readonly string[],
  details: object = {},
): CoordinatorError =>
  new CoordinatorError(
    "SERVER_NOT_ALLOWED",
    `Cannot call the server "${server}": this run may only use ${quoteList(allowed) || "no server"}`,
    { details: { ...details, server } },
  );

/** The host with only the servers that a run may use, so that no verb can reveal the others. */
export const narrowHost = (host: Host, allowed: readonly string[] | undefined): Host => {
  if (allowed === undefined) return host;
  const { configuration } = host;
  const servers = configuration.servers.filter(({ name }) => allowed.includes(name));
  return { ...host, configuration: { ...configuration, servers }, searchCache: {} };
};

/** Throws SERVER_NOT_ALLOWED. */
export const checkAllowed = (allowed: readonly string[] | undefined, server: string): void => {
  if (allowed !== undefined && !allowed.includes(server)) throw serverNotAllowed(server, allowed);
};

/** Throws CALL_NOT_DECLARED. */
export const checkDeclared = (manifest: EffectManifest | undefined, tool: Tool): void => {
  if (manifest?.calls.some(({ server, tool: name }) => server === tool.server && name === tool.name) === true)
    return;
  throw new CoordinatorError(
    "CALL_NOT_DECLARED",
    `Cannot call "${tool.server}.${tool.name}": the check did not find this call in the program`,
  );
};

const findProfile = (profiles: Readonly<Record<string, Profile>>, name: string | undefined): Profile => {
  if (name === undefined) return {};
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const near = nearestNames(name, names);
  throw new CoordinatorError("USAGE", `Cannot run with the profile "${name}": no profile has that name`, {
    hint: suggestNames(near, names, 'Define it in "coordinator": { "profiles" }, or run without a profile.'),
  });
};

/** A request may raise limits up to the table's maximum. Under a profile it may only lower them. */
const toLimits = (configured: Limits, requested: Partial<Limits> = {}, isBound: boolean): Limits => {
  const limits: Record<string, number> = { ...configured };
  for (const [name, value] of Object.entries(requested)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(limitTable, name) ? limitTable[name as keyof Limits] : undefined;
    const maximum = isBound ? configured[name as keyof Limits] : known?.maximum;
    if (
      known === undefined ||
      maximum === undefined ||
      !Number.isInteger(value) ||
      value < 1 ||
      value > maximum
    ) {
      const wanted =
        known === undefined ? "there is no such limit" : `expected a whole number from 1 to ${maximum}`;
      throw new CoordinatorError("USAGE", `Cannot run with limits.${name} = ${String(value)}: ${wanted}`);
    }
    limits[name] = value;
  }
  return limits as unknown as Limits;
};

/** Limits an agent's request: a limit above the current one is ignored. */
const lowerLimits = (limits: Limits, requested: Partial<Limits> | undefined): Limits => {
  if (requested === undefined) return limits;
  const wanted = toLimits(defaultLimits, requested, false);
  const lowered = Object.keys(requested).map((name) => {
    const limit = name as keyof Limits;
    return [limit, Math.min(limits[limit], wanted[limit])];
  });
  return { ...limits, ...Object.fromEntries(lowered) };
};

/** How a run continues: from its journal, as a committed plan, from a recording, or as the undo of its calls. */
export type Continuation = "resume" | "commit" | "replay" | "undo";

type Carried = { readonly [Key in Continuation]: true | `no: ${string}` };

const everywhere: Carried = { resume: true, commit: true, replay: true, undo: true };
const ownProgram = "no: its program is made from the journal";

/** A new key of `RunRequest` does not compile until this table says whether it is inherited. */
export const requestKeys: Readonly<Record<keyof RunRequest, Carried | `not stored: ${string}`>> = {
  servers: everywhere,
  approve: everywhere,
  limits: { ...everywhere, undo: "no: they were meant for another program" },
  agentLimits: { ...everywhere, undo: "no: they were meant for another program" },
  isCaller: { ...everywhere, replay: "no: the person who replays a recording is not the original caller" },
  caller: { ...everywhere, replay: "no: the person who replays a recording is not the original caller" },
  simulate: {
    ...everywhere,
    commit: "no: a plan made under simulate is refused",
    undo: "no: only calls that were really made are undone",
  },
  profile: { ...everywhere, replay: "no: it may not exist there, and nothing can be reached" },
  mode: {
    ...everywhere,
    commit: "no: a commit makes the calls that the plan only listed",
    undo: "no: only calls that were really made are undone",
  },
  isChecked: {
    resume: true,
    commit: "no: its program is made from the plan",
    replay: "no: it was checked when it was recorded",
    undo: ownProgram,
  },
  staysWithinManifest: {
    resume: true,
    commit: "no: it makes the calls of the plan and no other",
    replay: "no: it needs the check",
    undo: ownProgram,
  },
  undoes: {
    resume: true,
    commit: "no: an undo is no plan",
    replay: "no: a recording undoes nothing",
    undo: "no: an undo is not undone",
  },
  description: { ...everywhere, undo: "no: it describes another program" },
  code: "not stored: the journal has the program beside the rights",
  language: "not stored: the journal has it beside the rights",
  session: "not stored: the journal has it beside the rights; a commit runs outside of it",
  workspace:
    "not stored: the journal is inside the workspace, so a request that finds the run has already named it",
  output: "not stored: how the result is written is up to the reader",
  countTokens: "not stored: what is counted is up to the reader",
  signal: "not stored: it belongs to the caller",
  isBackground: "not stored: who follows the run may change with each attempt",
  onStart: "not stored: it belongs to the caller",
  onLog: "not stored: it belongs to the caller",
  onCall: "not stored: it belongs to the caller",
  onProgress: "not stored: it belongs to the caller",
  onQuestion: "not stored: it belongs to the caller",
  conversation: "not stored: it belongs to the caller",
  canSample: "not stored: it belongs to the caller",
};

const listKeys = (isWanted: (carried: Carried) => boolean): readonly (keyof RunRequest)[] =>
  Object.entries(requestKeys).flatMap(([key, carried]) =>
    typeof carried !== "string" && isWanted(carried) ? [key as keyof RunRequest] : [],
  );

const storedKeys = listKeys(() => true);
const restoredKeys: Readonly<Record<Continuation, readonly (keyof RunRequest)[]>> = {
  resume: listKeys(({ resume }) => resume === true),
  commit: listKeys(({ commit }) => commit === true),
  replay: listKeys(({ replay }) => replay === true),
  undo: listKeys(({ undo }) => undo === true),
};

const pick = (from: object, keys: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(from).filter(([key, value]) => value !== undefined && keys.includes(key)),
  );

/** The rights of a run as its journal stores them. */
export const toJournaledRights = (request: RunRequest): JsonObject =>
  // A JSON copy, so that later changes by the caller do not affect the run.
  JSON.parse(JSON.stringify(pick(request, storedKeys))) as JsonObject;

/** The part of a request that a journal restores. Unknown keys are dropped. */
export const fromJournaledRights = (
  rights: JsonObject,
  continuation: Continuation,
): Partial<Omit<RunRequest, "code">> => pick(rights, restoredKeys[continuation]);

// The rights of one run: the settings, narrowed by its profile, then by its request.

import type { EffectManifest, Limits, Profile, RunRequest, Tool } from "../../contracts/index.js";
import {
  approvalRule,
  approvalRuleWanted,
  CoordinatorError,
  defaultLimits,
  limitTable,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { findServer, type Host, quoteList } from "../host/host.js";

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
    hint:
      near.length > 0 ? `Did you mean ${quoteList(near)}?` : `Profiles are: ${quoteList(names) || "none"}.`,
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

// The policies of the configuration: parsed once, applied to every call, and to the tools that callers see.
import { hash } from "node:crypto";
import { toServerCatalog } from "../../catalog/index.js";
import {
  type CallRuling,
  type Configuration,
  CoordinatorError,
  type InverseMaker,
  type JsonObject,
  type Listing,
  oncePer,
  type PolicyDocument,
  type RuledTool,
  type ServerCatalog,
  type Tool,
} from "../../contracts/index.js";
import {
  defaultDenial,
  type FlowDecisions,
  openFlows,
  openPolicy,
  type Policy,
  type PolicyDecisions,
  type PolicyTool,
  parsePolicy,
  RuleSyntaxError,
  toApprovalPolicy,
  toInverseMaker,
  type UndoRule,
} from "../../policy/index.js";
import { listFields } from "../../schema/index.js";
import type { Host, SearchCache } from "../host/host.js";

const maxShownProblems = 5;

const parsePolicies = oncePer((policies: readonly PolicyDocument[]): readonly Policy[] => {
  const results = policies.map(({ document, ...source }) => parsePolicy(document, source));
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0) {
    const shown = problems
      .slice(0, maxShownProblems)
      .map(({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`);
    const rest = problems.length > shown.length ? `\n${problems.length - shown.length} more` : "";
    throw new CoordinatorError("CONFIG_INVALID", `Cannot use the policy:\n${shown.join("\n")}${rest}`);
  }
  return results.map(({ policy }) => policy);
});

/** Throws CONFIG_INVALID with every problem. A policy with a mistake must not be used in part. */
export const readPolicies = ({ policies }: Pick<Configuration, "policies">): readonly Policy[] =>
  parsePolicies(policies);

/** Few combinations are in use at once: those of the settings, profiles and requests. */
const maxOpened = 50;
const openedFor = oncePer((_policies: readonly Policy[]) => new Map<string, PolicyDecisions>());

/** The decisions for runs with these approval rules. They ask in addition to what the policies say. */
export const openDecisions = (
  configuration: Pick<Configuration, "policies">,
  approve: readonly string[],
): PolicyDecisions => {
  const policies = readPolicies(configuration);
  const byRules = openedFor(policies);
  const key = JSON.stringify(approve);
  let found = byRules.get(key);
  if (found === undefined) {
    found = openPolicy(approve.length === 0 ? policies : [...policies, readApprovals(approve)]);
    if (byRules.size >= maxOpened) byRules.clear();
    byRules.set(key, found);
  }
  return found;
};

const openFlowsOnce = oncePer(openFlows);

/** Undefined if no policy is about data: then nothing is labelled. */
export const openFlowDecisions = (
  configuration: Pick<Configuration, "policies">,
): FlowDecisions | undefined =>
  configuration.policies.length === 0 ? undefined : openFlowsOnce(readPolicies(configuration));

const versions = new WeakMap<PolicyDecisions, string>();

/** Identifies the rules that decide. The same rules have the same version in every process. */
export const readPolicyVersion = (
  configuration: Pick<Configuration, "policies">,
  approve: readonly string[],
): string => {
  const decisions = openDecisions(configuration, approve);
  let version = versions.get(decisions);
  if (version === undefined) {
    const written = configuration.policies.map(({ document }) => document);
    version = hash("sha256", JSON.stringify([written, approve])).slice(0, 16);
    versions.set(decisions, version);
  }
  return version;
};

/** The roles of a caller, sorted. */
export const listRoles = (
  configuration: Pick<Configuration, "policies">,
  caller: string | undefined,
): readonly string[] =>
  caller === undefined
    ? []
    : readPolicies(configuration)
        .flatMap(({ roles }) => [...roles].filter(([, callers]) => callers.includes(caller)))
        .map(([role]) => role)
        .sort();

const readApprovals = (approve: readonly string[]): Policy => {
  try {
    return toApprovalPolicy(approve);
  } catch (thrown) {
    if (!(thrown instanceof RuleSyntaxError)) throw thrown;
    throw new CoordinatorError("USAGE", `Cannot use a rule of "approve": ${thrown.message}`);
  }
};

/** With the arguments that the tool declares, if it declares any. */
export const toPolicyTool = oncePer((tool: RuledTool & Partial<Pick<Tool, "inputSchema">>): PolicyTool => {
  const { inputSchema } = tool;
  if (typeof inputSchema !== "object") return tool;
  const fields = new Set(listFields(inputSchema).map(({ name }) => name));
  return { ...tool, fields: fields.size === 0 ? undefined : fields };
});

/** What the policy says about a call. `fetch` is the tool `network.fetch`. */
export const ruleOn = (
  decisions: PolicyDecisions,
  tool: RuledTool,
  value: JsonObject,
  caller?: string,
): CallRuling => {
  const { answer, rule } = decisions.decide(toPolicyTool(tool), value, caller);
  if (rule === undefined) return { answer, rule: answer === "deny" ? defaultDenial : undefined };
  return { answer, rule: { name: rule.name, because: rule.because } };
};

/** The stricter of two rulings, if the rules on another tool apply, too. */
export const ruleOnBoth = (
  decisions: PolicyDecisions,
  [tool, other]: readonly [RuledTool, RuledTool | undefined],
  value: JsonObject,
  caller?: string,
): CallRuling => {
  const ruling = ruleOn(decisions, tool, value, caller);
  if (other === undefined || ruling.answer === "deny") return ruling;
  const second = ruleOn(decisions, other, value, caller);
  return second.answer === "allow" ? ruling : second;
};

/** Only the person's own policy counts, never that of a project, because it adds calls that nobody asked for: inverse calls and reads before writes. */
export const readUndoRules = ({ configuration }: Pick<Host, "configuration">): readonly UndoRule[] => {
  const [document] = configuration.policies;
  if (document === undefined || document.isProject === true) return [];
  return readPolicies(configuration)[0]?.undo ?? [];
};

/** Declared rules that are ignored, with the reason. */
export const listIgnoredUndo = ({ configuration }: Pick<Host, "configuration">): readonly UndoRule[] => {
  const used = new Set(readUndoRules({ configuration }));
  return readPolicies(configuration)
    .flatMap(({ undo = [] }) => undo)
    .filter((rule) => !used.has(rule));
};

const byPolicy = new WeakMap<readonly PolicyDocument[], ReadonlyMap<string, InverseMaker>>();

/** The inverse call that the person's own policy declares for a tool. Undefined if there is none. */
export const findInverse = (
  host: Pick<Host, "configuration">,
  { server, name, functionName }: Pick<Tool, "server" | "name" | "functionName">,
): InverseMaker | undefined => {
  const { policies, servers } = host.configuration;
  let makers = byPolicy.get(policies);
  if (makers === undefined) {
    const names = servers.map((one) => one.name);
    makers = new Map(readUndoRules(host).map((rule) => [rule.name, toInverseMaker(rule, names)]));
    byPolicy.set(policies, makers);
  }
  return makers.get(`${server}.${name}`) ?? makers.get(`${server}.${functionName}`);
};

/** The catalog without tools that are denied to everyone. */
export const toRuledCatalog = (
  { configuration, identifiers }: Pick<Host, "configuration" | "identifiers">,
  listing: Listing,
): ServerCatalog => {
  const { findDenial } = openDecisions(configuration, []);
  const identifier = identifiers.get(listing.server) ?? listing.server;
  return toServerCatalog(listing, identifier, (tool) => findDenial(toPolicyTool(tool)));
};

/** A search index for each set of roles, because each finds other tools. */
const searchCachesOf = oncePer((_all: SearchCache) => new Map<string, SearchCache>());

/** The host as a caller sees it: without tools that are denied to its roles. The same host if the caller has none. */
export const forCaller = (host: Host, caller: unknown): Host => {
  if (typeof caller !== "string" || host.caller !== undefined) return host;
  const roles = listRoles(host.configuration, caller).join("\n");
  if (roles === "") return host;
  const caches = searchCachesOf(host.searchCache);
  const searchCache = caches.get(roles) ?? {};
  caches.set(roles, searchCache);
  return { ...host, caller, searchCache };
};

const narrowedOf = oncePer((_catalog: ServerCatalog) => new Map<string, ServerCatalog>());

/** The catalog without tools that are denied to the host's caller. */
export const narrowCatalog = (
  { configuration, caller }: Pick<Host, "configuration" | "caller">,
  catalog: ServerCatalog,
): ServerCatalog => {
  if (caller === undefined) return catalog;
  const key = `${readPolicyVersion(configuration, [])}\n${listRoles(configuration, caller).join("\n")}`;
  const known = narrowedOf(catalog);
  let found = known.get(key);
  if (found === undefined) {
    const { findDenial } = openDecisions(configuration, []);
    const denied = new Map(
      catalog.tools.flatMap((tool): [Tool, Tool][] => {
        const rule = findDenial(toPolicyTool(tool), caller);
        return rule === undefined ? [] : [[tool, { ...tool, denied: rule }]];
      }),
    );
    found =
      denied.size === 0
        ? catalog
        : {
            ...catalog,
            tools: catalog.tools.filter((tool) => !denied.has(tool)),
            hidden: [...(catalog.hidden ?? []), ...denied.values()],
            find: (name) => {
              const tool = catalog.find(name);
              return tool === undefined ? undefined : (denied.get(tool) ?? tool);
            },
          };
    known.set(key, found);
  }
  return found;
};

// Finds rules that match no tool: a person relies on them, but they never apply.
import {
  type CheckedRule,
  type CheckedServer,
  type CheckedUndo,
  checkPolicy,
  checkUndo,
  matchesGlob,
  toApprovalPolicy,
} from "../../policy/index.js";
import { nearestNames } from "../../schema/index.js";
import type { Host } from "../host/host.js";
import { readKnownCatalog } from "../servers/list-tools.js";
import { listIgnoredUndo, readPolicies, readUndoRules, toPolicyTool } from "./open-policies.js";

/** The configured servers with the tools that are known without starting them. */
const readServers = async (host: Host): Promise<readonly CheckedServer[]> =>
  Promise.all(
    [...host.configuration.servers, ...host.configuration.addable].map(async ({ name }) => {
      const catalog = await readKnownCatalog(host, name).catch(() => undefined);
      const all = catalog === undefined ? undefined : [...catalog.tools, ...(catalog.hidden ?? [])];
      return {
        name,
        tools: all?.map((tool) => ({
          ...toPolicyTool(tool),
          inputSchema: tool.inputSchema,
          outputSchema: tool.outputSchema,
        })),
      };
    }),
  );

/** Every declared inverse call, and what is wrong with it. */
export const checkInverses = async (
  host: Host,
  given?: readonly CheckedServer[],
): Promise<readonly CheckedUndo[]> => {
  const rules = readUndoRules(host);
  const ignored = listIgnoredUndo(host);
  if (rules.length + ignored.length === 0) return [];
  return [
    ...checkUndo(rules, given ?? (await readServers(host))),
    ...ignored.map(
      (rule): CheckedUndo => ({
        rule,
        severity: "warning",
        message: "is not used: only your own policy can declare inverse calls",
      }),
    ),
  ];
};

/** Every rule of the policies, with the number of tools it selects and what is wrong with it. */
export const checkPolicies = async (host: Host): Promise<readonly CheckedRule[]> => {
  const servers = await readServers(host);
  const policies = readPolicies(host.configuration);
  return policies.flatMap((policy) => checkPolicy(policy, servers, policies));
};

/** One line for each entry of `flow.servers` and `cache` that matches no tool. */
const checkSelectors = (host: Host, servers: readonly CheckedServer[]): readonly string[] => {
  const { flow, cache } = host.configuration.settings;
  const places = { "flow.servers": Object.keys(flow.servers), cache: Object.keys(cache) };
  const matches = (selector: string, { name, tools }: CheckedServer): boolean =>
    selector === name ||
    // Without its tools, nobody knows.
    (tools === undefined && matchesGlob(selector.split(".", 1)[0] ?? "", name)) ||
    (tools ?? []).some((tool) => matchesGlob(selector, `${name}.${tool.name}`));
  return Object.entries(places).flatMap(([place, selectors]) =>
    selectors
      .filter((selector) => !matchesGlob(selector, "network.fetch") && selector !== "network")
      .filter((selector) => !servers.some((server) => matches(selector, server)))
      .map((selector) => {
        const known = servers.flatMap(({ name, tools = [] }) => [
          name,
          ...tools.map((tool) => `${name}.${tool.name}`),
        ]);
        const [near] = nearestNames(selector, known, 1);
        const hint = near === undefined ? "" : `, the nearest name is "${near}"`;
        return `The entry "${selector}" of "${place}" matches no tool${hint}`;
      }),
  );
};

/** One line for each rule that never applies, in the policies and in the settings `approve`, `flow` and `cache`. */
export const checkApprovals = async (host: Host): Promise<readonly string[]> => {
  const { settings } = host.configuration;
  const written = [settings, ...Object.values(settings.profiles)].flatMap(({ approve = [] }) => approve);
  const { flow, cache } = settings;
  const selectors = [...Object.keys(flow.servers), ...Object.keys(cache)];
  if (written.length + selectors.length === 0 && host.configuration.policies.length === 0) return [];
  const servers = await readServers(host);
  const approvals = checkPolicy(toApprovalPolicy([...new Set(written)]), servers);
  const policies = readPolicies(host.configuration);
  const rules = policies.flatMap((policy) => checkPolicy(policy, servers, policies));
  return [
    ...approvals.map((found) => ({ ...found, place: `The rule "${found.rule.text}" of "approve"` })),
    ...rules.map((found) => ({
      ...found,
      place: `The rule "${found.rule.name}" of "${found.rule.file}"`,
    })),
    ...(await checkInverses(host, servers)).map((found) => ({
      ...found,
      place: `The entry "${found.rule.name}" of "undo" in "${found.rule.file}"`,
    })),
  ]
    .flatMap(({ place, message, severity }) => (severity === "error" ? [`${place} ${message}`] : []))
    .concat(checkSelectors(host, servers));
};

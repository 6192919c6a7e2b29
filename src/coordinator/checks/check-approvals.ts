// Finds approval rules that match no tool: a person relies on them, but they never apply.
import { journaledNetwork } from "../../bridge/index.js";
import { approvalClasses, type Tool } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { type Host, quoteList, readCatalog } from "../host/host.js";
import { needsApproval } from "../runs/needs-approval.js";

/** The tools of a server that are known without starting it. */
const readKnown = async (host: Host, server: string): Promise<readonly Tool[] | undefined> => {
  if (!host.catalogs.has(server) && (await host.upstreams.peek(server)) === undefined) return undefined;
  return (await readCatalog(host, server).catch(() => undefined))?.tools;
};

const suggest = (near: readonly string[]): string =>
  near.length === 0 ? "" : `. Did you mean ${quoteList(near)}?`;

/** One line per rule that matches no known tool. */
export const checkApprovals = async (host: Host): Promise<readonly string[]> => {
  const { settings, servers, addable } = host.configuration;
  const written = [settings, ...Object.values(settings.profiles)].flatMap(({ approve = [] }) => approve);
  const rules = [...new Set(written)].filter((rule) => !approvalClasses.some((name) => name === rule));
  if (rules.length === 0) return [];
  const names = [...servers, ...addable].map(({ name }) => name);
  const known = new Map(
    await Promise.all(names.map(async (name) => [name, await readKnown(host, name)] as const)),
  );
  const tools = [...known.values()].flatMap((found) => found ?? []);
  return rules.flatMap((rule) => {
    if (rule.startsWith(`${journaledNetwork}.`) || tools.some((tool) => needsApproval([rule], tool)))
      return [];
    const [part = ""] = rule.split(".");
    const server = names.find((name) => rule.startsWith(`${name}.`)) ?? part;
    const isOpen = server.includes("*")
      ? [...known.values()].includes(undefined)
      : known.get(server) === undefined;
    const begin = `The rule "${rule}" of "approve" matches no tool`;
    if (!server.includes("*") && !known.has(server))
      return [`${begin}: no server "${server}" is configured${suggest(nearestNames(server, names, 1))}`];
    // A server that was never listed may have the tool.
    if (isOpen) return [];
    const all = (known.get(server) ?? tools).map((tool) => `${tool.server}.${tool.name}`);
    return [`${begin}${suggest(nearestNames(rule.replaceAll("*", ""), all, 1))}`];
  });
};

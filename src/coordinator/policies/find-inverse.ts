// Finds how the writes of a tool are undone, as the person's own policy declares it.
import type { InverseMaker, PolicyDocument, Tool } from "../../contracts/index.js";
import { toInverseMaker, type UndoRule } from "../../policy/index.js";
import type { Host } from "../host/host.js";
import { readPolicies } from "./open-policies.js";

/** Only the first policy counts, and never that of a project: an inverse call and the read before a write are calls that nobody else asked for. */
export const readUndoRules = ({ configuration }: Pick<Host, "configuration">): readonly UndoRule[] => {
  const [document] = configuration.policies;
  if (document === undefined || document.isProject === true) return [];
  return readPolicies(configuration)[0]?.undo ?? [];
};

/** Rules that are written and do not count, with the reason. */
export const listIgnoredUndo = ({ configuration }: Pick<Host, "configuration">): readonly UndoRule[] => {
  const used = new Set(readUndoRules({ configuration }));
  return readPolicies(configuration)
    .flatMap(({ undo = [] }) => undo)
    .filter((rule) => !used.has(rule));
};

const byPolicy = new WeakMap<readonly PolicyDocument[], ReadonlyMap<string, InverseMaker>>();

/** Undefined if nothing is declared for the tool. */
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

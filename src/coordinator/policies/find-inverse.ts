// Finds the inverse call that the person's own policy declares for a tool.
import type { InverseMaker, PolicyDocument, Tool } from "../../contracts/index.js";
import { toInverseMaker, type UndoRule } from "../../policy/index.js";
import type { Host } from "../host/host.js";
import { readPolicies } from "./open-policies.js";

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

// What a server offers beside its tools, as members of one object: `resources.read`, `prompts.triageBugs`.
import type { Tool } from "../contracts/index.js";

export interface Namespace {
  readonly name: string;
  /** Each function under its name in the object and, if it can be written, the server's own. */
  readonly members: readonly { readonly name: string; readonly functionName: string }[];
}

const names = ["resources", "prompts"] as const;

/** `promptsTriageBugs` → `triageBugs`, `prompts_triage_bugs` → `triage_bugs`. */
const toMember = (functionName: string, namespace: string): string => {
  const rest = functionName.slice(namespace.length).replace(/^_/, "");
  return rest.charAt(0).toLowerCase() + rest.slice(1);
};

/** A server's own function of the same name takes the place of the object. */
export const listNamespaces = (
  functionNames: ReadonlyMap<Tool, string>,
  isMember: (name: string) => boolean = () => true,
): readonly Namespace[] => {
  const taken = new Set([...functionNames].flatMap(([tool, name]) => [tool.name, tool.functionName, name]));
  return names.flatMap((name) => {
    const members = new Map<string, string>();
    for (const [tool, functionName] of functionNames) {
      if (tool.method === undefined || !tool.name.startsWith(`${name}.`)) continue;
      for (const member of [toMember(functionName, name), tool.name.slice(name.length + 1)])
        if (member !== "" && isMember(member) && !members.has(member)) members.set(member, functionName);
    }
    if (members.size === 0 || taken.has(name)) return [];
    return [
      { name, members: [...members].map(([member, functionName]) => ({ name: member, functionName })) },
    ];
  });
};

// What a program would do: its writes, in their order, with the arguments that it gave them.
import type { Json, JsonObject, PlannedCall, RunPlan, Tool, ToolResult } from "../../contracts/index.js";

export interface Plan {
  /** Whether a call is only written down. What a server says of its tools is all that is known: what does not claim to read, writes. */
  readonly captures: (tool: Tool) => boolean;
  readonly add: (tool: Tool, value: JsonObject, simulated: ToolResult) => void;
  readonly read: () => RunPlan;
}

/** Shorter texts and smaller numbers are found in any arguments by chance. */
const shortestText = 5;
const smallestNumber = 100;

export const openPlan = (planId: string): Plan => {
  const calls: PlannedCall[] = [];
  const madeUp = new Set<Json>();
  return {
    captures: ({ isReadOnly }) => !isReadOnly,
    add: (tool, value, simulated) => {
      const usesSimulated = listLeaves(value).some((leaf) => isMadeUp(leaf, madeUp));
      calls.push({
        server: tool.server,
        tool: tool.name,
        arguments: value,
        ...(usesSimulated ? { usesSimulated } : {}),
      });
      for (const leaf of listLeaves(toContent(simulated))) if (isTelling(leaf)) madeUp.add(leaf);
    },
    read: () => ({ planId, calls }),
  };
};

const toContent = ({ structuredContent, content }: ToolResult): Json =>
  (structuredContent ?? content?.map(({ text }) => readText(text)) ?? null) as Json;

const readText = (text: string | undefined): Json => {
  try {
    return JSON.parse(text ?? "null") as Json;
  } catch {
    return text ?? null;
  }
};

const listLeaves = (value: Json): readonly Json[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(listLeaves) : [value];

const isTelling = (leaf: Json): boolean =>
  (typeof leaf === "string" && leaf.length >= shortestText) ||
  (typeof leaf === "number" && Math.abs(leaf) >= smallestNumber);

const isMadeUp = (leaf: Json, madeUp: ReadonlySet<Json>): boolean =>
  madeUp.has(leaf) ||
  (typeof leaf === "string" &&
    [...madeUp].some(
      (one) => leaf.includes(String(one)) && (typeof one === "string" || !isPartOfNumber(leaf, one)),
    ));

/** "1234" is not in "91234". */
const isPartOfNumber = (text: string, number: Json): boolean =>
  // linear: one number between two checks of single characters
  !new RegExp(`(?<![\\d.])${String(number).replace(/[.+]/g, "\\$&")}(?!\\d|\\.\\d)`).test(text);

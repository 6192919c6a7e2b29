// The question whether a program may make its calls, as a person reads it: every call with its constants and bound, then the program.
import {
  type EffectManifest,
  type Language,
  type ManifestCall,
  toVisibleText,
} from "../../contracts/index.js";
import type { PolicyAnswer } from "../../policy/index.js";
import { renderDynamic, renderManifestCall } from "./render-manifest.js";

export interface ShownProgram {
  readonly manifest: EffectManifest;
  /** The places that need approval. */
  readonly asked: readonly ManifestCall[];
  readonly answers: ReadonlyMap<ManifestCall, PolicyAnswer>;
  /** Places that may carry labelled data, and which. */
  readonly flows: ReadonlyMap<ManifestCall, string>;
  readonly program: string;
  /** The files of skills and adapters. */
  readonly imported: readonly string[];
  readonly language: Language;
  /** Other calls of this run were approved before. */
  readonly isAddition: boolean;
}

const title = (count: number, isAddition: boolean): string => {
  const calls = count === 1 ? "this call" : `the calls of these ${count} places`;
  return isAddition
    ? `The program has changed. May it also make ${calls}?`
    : `May this program run and make ${calls}?`;
};

/** Contains no time, so that the same program under the same rules is the same question. */
export const renderProgramQuestion = (shown: ShownProgram): string => {
  const { manifest, asked, answers, flows, program, imported, language, isAddition } = shown;
  const others = manifest.calls.filter((call) => !asked.includes(call));
  const marks: Readonly<Record<PolicyAnswer, string>> = {
    allow: "allowed by the policy",
    ask: "approved before",
    deny: "denied by the policy",
  };
  const lines = program.split("\n");
  const width = String(lines.length).length;
  return [
    title(asked.length, isAddition),
    ...asked.map((call, at) => {
      const flow = flows.get(call);
      return `${at + 1}. ${renderManifestCall(call)}${flow === undefined ? "" : `, ${toVisibleText(flow)}`}`;
    }),
    ...(others.length === 0 ? [] : ["It can also make these calls:"]),
    ...others.map((call) => `- ${renderManifestCall(call)}: ${marks[answers.get(call) ?? "allow"]}`),
    ...renderDynamic(manifest),
    manifest.hasDynamicCalls
      ? "Each call that is not listed is asked about on its own."
      : "Any other call is refused.",
    "The approval holds for this run only, and for 24 hours.",
    ...(imported.length === 0 ? [] : [toVisibleText(`It imports ${imported.join(", ")}, as they are now.`)]),
    `The program (${language === "python" ? "Python" : "TypeScript"}):`,
    ...lines.map((line, at) => `${String(at + 1).padStart(width)} | ${showLine(line)}`),
  ].join("\n");
};

/** Tabs are not invisible here. */
const showLine = (line: string): string => line.split("\t").map(toVisibleText).join("  ").trimEnd();

/** Why a call of an approved program is asked about on its own. */
export const renderDynamicNote = (manifest: EffectManifest): string => {
  const [first] = manifest.dynamic ?? [];
  const bound = "It was approved less often than it is made, or the approval no longer holds.";
  if (!manifest.hasDynamicCalls) return bound;
  const where =
    first === undefined
      ? ""
      : ` in ${first.file === undefined ? "" : `${toVisibleText(first.file)}, `}line ${first.line}`;
  return `The approval of the program does not cover it: the program chooses what it calls${where} at run time. Name the server and the tool there to have it approved with the others.`;
};

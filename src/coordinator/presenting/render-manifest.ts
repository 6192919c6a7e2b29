// Renders the calls that a program can make, for people, and the question whether it may make them.
import {
  type EffectManifest,
  type Json,
  type Language,
  type ManifestCall,
  toVisibleText,
} from "../../contracts/index.js";
import type { PolicyAnswer } from "../../policy/index.js";

const maxValue = 300;

const showValue = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}… (${text.length} characters)` : text;
};

/** `to: "ann@acme.com", body: any value, …` */
const renderArguments = ({ constants, choices = {}, digests = {}, open, isOpen }: ManifestCall): string => {
  const known = [
    ...Object.entries(constants).map(([name, value]) => `${name}: ${showValue(value)}`),
    ...Object.entries(choices).map(([name, values]) => `${name}: ${values.map(showValue).join(" or ")}`),
    ...Object.keys(digests).map((name) => `${name}: the long text of the program`),
    ...open.map((name) => `${name}: any value`),
  ];
  if (isOpen !== true) return known.join(", ");
  return known.length === 0 ? "any arguments" : [...known, "any other argument"].join(", ");
};

const toPlace = ({ file, line }: Pick<ManifestCall, "file" | "line">): string =>
  [...(file === undefined ? [] : [file]), ...(line === undefined ? [] : [`line ${line}`])].join(", ");

/** `line 3: mail.send(to: "ann@acme.com", body: any value), writes, once` */
export const renderManifestCall = (call: ManifestCall): string => {
  const { server, tool, isReadOnly, count, max } = call;
  const place = toPlace(call);
  const often = count === "once" ? "once" : `up to ${max} times`;
  return toVisibleText(
    `${place === "" ? "" : `${place}: `}${server}.${tool}(${renderArguments(call)}), ${isReadOnly ? "reads" : "writes"}, ${often}`,
  );
};

const maxDynamic = 5;

/** Where a program makes calls that are only known at run time, and what to change. */
const renderDynamic = ({ hasDynamicCalls, dynamic = [] }: EffectManifest): readonly string[] => {
  if (!hasDynamicCalls) return [];
  if (dynamic.length === 0) return ["It also makes calls that are only known at run time."];
  const places = dynamic
    .slice(0, maxDynamic)
    .map(({ excerpt, ...place }) => toVisibleText(`  ${toPlace(place)}: ${excerpt}`));
  const more = dynamic.length > maxDynamic ? [`  and ${dynamic.length - maxDynamic} more`] : [];
  return [
    "It also makes calls that are only known at run time. To have them listed, name the server and the tool in these lines:",
    ...places,
    ...more,
  ];
};

/** Everything that a program can call, one line for each place. */
export const renderManifest = (manifest: EffectManifest): readonly string[] => {
  const lines = [
    ...(manifest.calls.length === 0 ? [] : ["It can call:"]),
    ...manifest.calls.map((call) => `  ${renderManifestCall(call)}`),
    ...renderDynamic(manifest),
  ];
  return lines.length === 0 ? ["It makes no calls"] : lines;
};

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

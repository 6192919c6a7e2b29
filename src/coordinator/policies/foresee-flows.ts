// The labels of a program before it runs, and the data-flow rules that may apply to its calls.

import type { BridgeCall } from "../../bridge/index.js";
import { type EffectManifest, type ManifestCall, type Tool, toCanonicalJson } from "../../contracts/index.js";
import {
  allLabels,
  type FlowDecisions,
  fitsEntry,
  joinLabels,
  type Labels,
  noLabels,
} from "../../policy/index.js";
import { openLabelLedger } from "../../store/index.js";
import { type Host, readCatalog } from "../host/host.js";
import { type Conversation, findContext } from "./conversation-labels.js";
import { openFlowDecisions, toPolicyTool } from "./open-policies.js";

/** A choice among a few literals reveals little. A table of more could spell any text. */
const maxLiterals = 16;

export interface BegunRun extends Conversation {
  readonly runId: string;
  readonly session?: string | undefined;
  /** The program imports skills, whose text was written elsewhere. */
  readonly hasSkills: boolean;
}

/** The labels of the data that the program's text and its initial variables may contain. */
export const readFirstLabels = async (
  host: Host,
  given: BegunRun,
): Promise<{ readonly context: Labels; readonly run: Labels; readonly files: Labels }> => {
  const { configuration } = host;
  const { stateFolder, workspace } = configuration.settings;
  const ledger = openLabelLedger(stateFolder, given.workspace ?? workspace);
  const readStored = async (key: string): Promise<Labels> => new Set((await ledger.read(key))?.labels);
  const context = [
    findContext(host, given),
    openFlowDecisions(configuration)?.context ?? noLabels,
    // It may have been written in an earlier process, or from what a plan has read.
    await readStored(`run ${given.runId}`),
    given.hasSkills ? await readStored("skills") : noLabels,
  ].reduce(joinLabels, noLabels);
  const session = given.session === undefined ? noLabels : await readStored(`session ${given.session}`);
  return { context, run: joinLabels(context, session), files: await readStored("files") };
};

/** Literals of a program: every place that can make this call has the argument as a constant. */
export const findLiterals = (
  manifest: EffectManifest | undefined,
  { server, tool, upstream, shown = {} }: BridgeCall,
): ((name: string) => boolean) => {
  if (manifest === undefined || manifest.hasDynamicCalls || upstream === undefined) return () => false;
  const entries = manifest.calls.filter((entry) => entry.server === server && entry.tool === tool);
  const call = { server, tool, fingerprint: upstream.fingerprint, arguments: shown };
  const fitting = entries.filter((entry) => fitsEntry(entry, call));
  return (name) =>
    fitting.length > 0 &&
    fitting.every(({ constants, choices = {}, digests = {} }) =>
      [constants, choices, digests].some((known) => Object.hasOwn(known, name)),
    ) &&
    new Set(
      entries.flatMap(({ constants, choices = {}, digests = {} }) => [
        ...(Object.hasOwn(constants, name) ? [toCanonicalJson(constants[name])] : []),
        ...(Object.hasOwn(choices, name) ? (choices[name] ?? []).map((one) => toCanonicalJson(one)) : []),
        ...(Object.hasOwn(digests, name) ? [digests[name]] : []),
      ]),
    ).size <= maxLiterals;
};

const findTool = async (host: Host, { server, tool }: ManifestCall): Promise<Tool | undefined> =>
  (await readCatalog(host, server).catch(() => undefined))?.find(tool);

/** The places in the program whose calls a data-flow rule may ask about, each with a description for the person who is asked. */
export const foreseeFlows = async (
  host: Host,
  given: BegunRun,
  manifest: EffectManifest,
): Promise<ReadonlyMap<ManifestCall, string>> => {
  const flows = openFlowDecisions(host.configuration);
  const asked = new Map<ManifestCall, string>();
  if (flows === undefined) return asked;
  const { context, run: first, files } = await readFirstLabels(host, given);
  const tools = new Map<ManifestCall, Tool>();
  const sources = new Map<string, Labels>();
  let run = joinLabels(first, files);
  for (const entry of manifest.calls) {
    const tool = await findTool(host, entry);
    if (tool === undefined) continue;
    tools.set(entry, tool);
    const labels = allLabels(flows.describe(toPolicyTool(tool)));
    if (labels.size > 0) sources.set(`${entry.server}.${entry.tool}`, labels);
    run = joinLabels(run, labels);
  }
  for (const [entry, tool] of tools) {
    const call = { ...labelEntry(flows, tool, entry, context, run), context, run };
    const { answer, flow } = flows.decide(toPolicyTool(tool), call);
    if (answer !== "ask" || flow === undefined) continue;
    const from = [...sources].flatMap(([name, labels]) =>
      flow.sources.some((label) => labels.has(label)) ? [name] : [],
    );
    const data = flow.sources.filter((label) => !label.includes(".")).join(" and ");
    const of = from.length === 0 ? "of what was read before" : `of ${from.join(", ")}`;
    const reason = flow.because === undefined ? "" : `: ${flow.because}`;
    asked.set(entry, `may carry ${data === "" ? "" : `${data} `}data ${of} (rule "${flow.name}")${reason}`);
  }
  return asked;
};

const labelEntry = (
  flows: FlowDecisions,
  tool: Tool,
  { constants, choices = {}, digests = {}, open, isOpen }: ManifestCall,
  context: Labels,
  run: Labels,
): { readonly total: Labels; readonly parts: readonly (Labels | undefined)[] } => {
  const fixed = new Set([constants, choices, digests].flatMap((known) => Object.keys(known)));
  const isAny = isOpen === true;
  const total = joinLabels(fixed.size > 0 ? context : noLabels, isAny || open.length > 0 ? run : noLabels);
  const parts = flows.listArguments(toPolicyTool(tool)).map(([name = ""]) => {
    if (fixed.has(name)) return context;
    return isAny || open.includes(name) ? run : undefined;
  });
  return { total, parts };
};

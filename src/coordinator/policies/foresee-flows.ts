// Predicts which flows may apply to the calls of a program, for the question whether it may run.
import type { EffectManifest, ManifestCall, Tool } from "../../contracts/index.js";
import { allLabels, type FlowDecisions, joinLabels, type Labels, noLabels } from "../../policy/index.js";
import { type Host, readCatalog } from "../host/host.js";
import { type BegunRun, readFirstLabels } from "./first-labels.js";
import { openFlowDecisions, toPolicyTool } from "./open-policies.js";

const findTool = async (host: Host, { server, tool }: ManifestCall): Promise<Tool | undefined> =>
  (await readCatalog(host, server).catch(() => undefined))?.find(tool);

/** The places whose calls a flow may ask about, and what a person reads of the data in them. */
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

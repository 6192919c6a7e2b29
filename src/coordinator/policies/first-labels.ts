// The labels of a program before it runs: those of its text and its variables, and which arguments are literals.
import type { BridgeCall } from "../../bridge/index.js";
import { type EffectManifest, toCanonicalJson } from "../../contracts/index.js";
import { fitsEntry, joinLabels, type Labels, noLabels } from "../../policy/index.js";
import { openLabelLedger } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { type Conversation, findContext } from "./conversation-labels.js";
import { openFlowDecisions } from "./open-policies.js";

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

// The labels of everything that the model of a conversation has read in results. They end with the conversation.
import type { Vault } from "../../contracts/index.js";
import { joinLabels, type Labels, noLabels } from "../../policy/index.js";
import { openLabelLedger } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { openFlowDecisions } from "./open-policies.js";

/** Whose results a model reads. Runs with the same object, or of the same workspace and caller, are one conversation. */
export interface Conversation {
  readonly workspace?: string | undefined;
  readonly caller?: string | undefined;
  readonly conversation?: object | undefined;
  /** It may be part of any conversation of its caller. */
  readonly isDirect?: boolean | undefined;
}

interface Contexts {
  readonly byObject: WeakMap<object, Labels>;
  readonly byName: Map<string, Labels>;
  /** All conversations of a workspace and caller together. */
  readonly joined: Map<string, Labels>;
}

/** The vault is the same for all copies of a host. */
const contexts = new WeakMap<Vault, Contexts>();

const open = ({ vault }: Pick<Host, "vault">): Contexts => {
  const found = contexts.get(vault) ?? { byObject: new WeakMap(), byName: new Map(), joined: new Map() };
  contexts.set(vault, found);
  return found;
};

const nameOf = (host: Host, { workspace, caller }: Conversation): string =>
  JSON.stringify([workspace ?? host.configuration.settings.workspace, caller ?? ""]);

export const findContext = (host: Host, given: Conversation): Labels => {
  const { byObject, byName, joined } = open(host);
  const name = nameOf(host, given);
  if (given.isDirect === true) return joined.get(name) ?? noLabels;
  const own = given.conversation === undefined ? undefined : byObject.get(given.conversation);
  return joinLabels(byName.get(name) ?? noLabels, own ?? noLabels);
};

export const raiseContext = (host: Host, given: Conversation, labels: Labels): void => {
  if (labels.size === 0) return;
  const { byObject, byName, joined } = open(host);
  const { conversation } = given;
  const name = nameOf(host, given);
  joined.set(name, joinLabels(joined.get(name) ?? noLabels, labels));
  if (conversation === undefined) byName.set(name, joinLabels(byName.get(name) ?? noLabels, labels));
  else byObject.set(conversation, joinLabels(byObject.get(conversation) ?? noLabels, labels));
};

/** The text of a skill may be made of what its author has read: the model of any conversation here, or of the run that is saved. */
export const labelSavedSkill = async (
  host: Host,
  { workspace, runId }: { readonly workspace?: string | undefined; readonly runId?: string | undefined },
): Promise<void> => {
  const { configuration } = host;
  if (openFlowDecisions(configuration) === undefined) return;
  const { settings } = configuration;
  const ledger = openLabelLedger(settings.stateFolder, workspace ?? settings.workspace);
  const written = runId === undefined ? undefined : await ledger.read(`run ${runId}`);
  const labels = joinLabels(findContext(host, { workspace, isDirect: true }), new Set(written?.labels));
  if (labels.size > 0) await ledger.add("skills", { labels: [...labels] });
};

/** The model reads the result of a run that another conversation may have started. */
export const noteShownRun = async (
  host: Host,
  given: Conversation & { readonly runId: string },
): Promise<void> => {
  const { configuration } = host;
  if (openFlowDecisions(configuration) === undefined) return;
  const { stateFolder, workspace } = configuration.settings;
  const stored = await openLabelLedger(stateFolder, given.workspace ?? workspace).read(
    `shown ${given.runId}`,
  );
  raiseContext(host, given, new Set(stored?.labels));
};

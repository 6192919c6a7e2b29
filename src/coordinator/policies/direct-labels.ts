// Labels of calls without a program: the model chose every argument, and reads the whole answer.
import type { FlowRuling, JsonObject, Tool } from "../../contracts/index.js";
import { allLabels, joinLabels, labelArguments, noLabels, readArgumentFacts } from "../../policy/index.js";
import type { Host } from "../host/host.js";
import { type Conversation, findContext, raiseContext } from "./conversation-labels.js";
import { openFlowDecisions, toPolicyTool } from "./open-policies.js";
import { openPrivacy, type TokenLabels } from "./open-privacy.js";

const noTokens: ReadonlyMap<string, TokenLabels> = new Map();

/** Undefined if no policy is about data. */
export const judgeDirectCall = async (
  host: Host,
  given: Conversation,
  tool: Tool,
  value: JsonObject,
): Promise<FlowRuling | undefined> => {
  const flows = openFlowDecisions(host.configuration);
  if (flows === undefined) return undefined;
  const context = joinLabels(findContext(host, given), flows.context);
  const texts = Object.values(value).filter((item) => typeof item === "string");
  const tokens = (await openPrivacy(host, host.asker)?.readLabels(texts)) ?? noTokens;
  const ruled = toPolicyTool(tool);
  const { total, parts } = labelArguments(
    value,
    {
      context,
      run: context,
      isLiteral: () => false,
      findText: () => undefined,
      findToken: (text) => tokens.get(text),
      findStored: () => undefined,
      schema: readArgumentFacts(tool.inputSchema),
    },
    flows.listArguments(ruled),
  );
  const { answer, flow } = flows.decide(ruled, { total, parts, context, run: context });
  const rule = flow === undefined ? undefined : { name: flow.name, because: flow.because };
  return { answer, rule, labels: total };
};

/** The model reads the answer. */
export const noteDirectAnswer = (
  host: Host,
  given: Conversation,
  tool: Tool,
  flow: FlowRuling | undefined,
): void => {
  const source = openFlowDecisions(host.configuration)?.describe(toPolicyTool(tool));
  if (source !== undefined)
    raiseContext(host, given, joinLabels(allLabels(source), flow?.labels ?? noLabels));
};

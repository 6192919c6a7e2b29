// Hides what a server says while its call is open, and gives it the answers to its questions.
import {
  type CallAsker,
  type CallAudit,
  type Json,
  type JsonObject,
  type OpenInput,
  type RuledTool,
  type ToolProgress,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { OnWarning } from "./guard-texts.js";
import type { HidingTool, Privacy } from "./open-privacy.js";

/** Gives a server the answer to its question, and notes what guardrails say about it. */
export const redeemAnswer = async (
  privacy: Privacy,
  tool: RuledTool,
  answer: JsonObject,
  { audit, onWarning }: AnswerNotes,
): Promise<JsonObject> => {
  const warn: OnWarning = async ({ name }, text) => {
    await audit?.noteGuardrail({ decision: "warned", rule: name });
    onWarning?.(text);
  };
  try {
    return await privacy.redeem(tool, answer, undefined, warn);
  } catch (thrown) {
    const { code, details } = toCoordinatorError(thrown);
    const rule =
      code === "GUARDRAIL_BLOCKED" ? (details as { readonly guardrail: string }).guardrail : undefined;
    if (rule !== undefined) await audit?.noteGuardrail({ decision: "denied", rule, code });
    throw thrown;
  }
};

/** Who learns what guardrails say about an answer to a server. */
export interface AnswerNotes {
  readonly audit?: Pick<CallAudit, "noteGuardrail"> | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

interface HiddenMessages {
  readonly hideProgress: (
    onProgress: ((progress: ToolProgress) => void) | undefined,
  ) => ((progress: ToolProgress) => void) | undefined;
  readonly hideAsker: (asker: CallAsker | undefined) => CallAsker | undefined;
  readonly redeemInput: (input: OpenInput | undefined) => Promise<OpenInput | undefined>;
  /** Resolves when everything was passed on. */
  readonly settle: () => Promise<unknown>;
}

const nothingHidden: HiddenMessages = {
  hideProgress: (onProgress) => onProgress,
  hideAsker: (asker) => asker,
  redeemInput: async (input) => input,
  settle: async () => {},
};

/** Hides what a server says while its call is open. */
export const hideMessages = (
  privacy: Privacy | undefined,
  tool: HidingTool,
  notes: AnswerNotes,
): HiddenMessages => {
  if (privacy === undefined) return nothingHidden;
  let last: Promise<unknown> = Promise.resolve();
  const pass = (text: string, onText: (text: string) => void): void => {
    // What cannot be hidden is not passed on.
    last = last.then(() => privacy.hideText(tool, text)).then(onText, () => {});
  };
  const hideProgress: HiddenMessages["hideProgress"] = (onProgress) =>
    onProgress && ((progress) => pass(progress.message, (message) => onProgress({ ...progress, message })));
  const hideAsker: HiddenMessages["hideAsker"] = (asker) => {
    if (asker === undefined) return asker;
    const { log } = asker;
    return {
      ...asker,
      log: log === undefined ? undefined : (message) => pass(message, log),
      answer: async (request, signal, isCertain) => {
        const { params } = await privacy.hideJson(tool, { params: request.params });
        const answer = await asker.answer({ ...request, params }, signal, isCertain);
        return redeemAnswer(privacy, tool, answer, notes);
      },
    };
  };
  const redeemInput: HiddenMessages["redeemInput"] = async (input) => {
    if (input === undefined) return input;
    const responses = await redeemAnswer(privacy, tool, input.responses as JsonObject, notes);
    return { ...input, responses: responses as Readonly<Record<string, Json>> };
  };
  return { hideProgress, hideAsker, redeemInput, settle: () => last };
};

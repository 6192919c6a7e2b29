// One exchange with the configured model, in the style of its provider.
import {
  CoordinatorError,
  type ModelAnswer,
  type ModelProvider,
  type ModelRequest,
} from "../contracts/index.js";
import { anthropicVersion, readAnthropicAnswer, toAnthropicBody } from "./anthropic.js";
import { readOpenAiAnswer, toOpenAiBody } from "./openai.js";
import { type SendOptions, sendRequest } from "./send-request.js";

export interface ModelAccess {
  readonly provider: ModelProvider;
  /** Default: the provider's own. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  readonly key?: string | undefined;
  readonly maxAnswerTokens: number;
}

const ownUrls: Readonly<Record<ModelProvider, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  ollama: "http://127.0.0.1:11434/v1",
};

/** A header cannot hold anything else, and the error for it would show the key. */
const keyCharacters = /^[\x21-\x7e]+$/;

/** Throws MODEL_REFUSED, MODEL_UNREACHABLE, MODEL_ANSWER_INVALID, or the reason of an aborted signal. */
export const sendToModel = async (
  { provider, baseUrl = ownUrls[provider], key, maxAnswerTokens, ...access }: ModelAccess,
  request: ModelRequest,
  options: Pick<SendOptions, "wait"> = {},
): Promise<ModelAnswer> => {
  if (key !== undefined && !keyCharacters.test(key))
    throw new CoordinatorError(
      "MODEL_NOT_CONFIGURED",
      "Cannot use the model's key: it has characters that a header cannot hold",
      { hint: "Set the variable again, without spaces and line breaks." },
    );
  const { model = access.model, maxTokens = maxAnswerTokens, signal, onRetry } = request;
  const sending = { ...options, signal, onRetry };
  const turn = request.messages.length;
  const base = baseUrl.endsWith("/") ? baseUrl.slice(0, -1) : baseUrl;
  if (provider === "anthropic") {
    const url = `${base.endsWith("/v1") ? base : `${base}/v1`}/messages`;
    const headers = {
      "anthropic-version": anthropicVersion,
      ...(key === undefined ? {} : { "x-api-key": key }),
    };
    const body = toAnthropicBody(request, model, maxTokens);
    return readAnthropicAnswer(await sendRequest({ url, headers, key }, body, sending), turn);
  }
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const lengthField = base === ownUrls.openai ? "max_completion_tokens" : "max_tokens";
  const body = toOpenAiBody(request, model, maxTokens, lengthField);
  return readOpenAiAnswer(
    await sendRequest({ url: `${base}/chat/completions`, headers, key }, body, sending),
    turn,
  );
};

// One exchange with the configured model: OpenAI's chat completions, as many endpoints speak them, or Anthropic's messages API.
import {
  CoordinatorError,
  type ModelAnswer,
  type ModelCallResult,
  type ModelMessage,
  type ModelProvider,
  type ModelRequest,
  toFields,
} from "../contracts/index.js";
import {
  invalid,
  type SendOptions,
  sendRequest,
  toCall,
  toCount,
  toList,
  toText,
  toUsage,
} from "./send-request.js";

/** Undefined for an empty list: endpoints refuse one. */
const mapSome = <Item>(
  items: readonly Item[],
  toObject: (item: Item) => object,
): readonly object[] | undefined => (items.length === 0 ? undefined : items.map(toObject));

/** `lengthField`: OpenAI itself wants another name than the others. */
const toOpenAiBody = (
  { instructions, messages, tools = [] }: ModelRequest,
  model: string,
  maxTokens: number,
  lengthField: "max_tokens" | "max_completion_tokens",
): object => ({
  model,
  [lengthField]: maxTokens,
  messages: [
    ...(instructions === undefined ? [] : [{ role: "system", content: instructions }]),
    ...messages.flatMap(toOpenAiMessages),
  ],
  tools: mapSome(tools, ({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  })),
});

const toOpenAiMessages = (message: ModelMessage): readonly object[] => {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  if (message.role === "tools")
    return message.results.map(({ callId, content }) => ({
      role: "tool",
      tool_call_id: callId,
      // Results of tools are texts here.
      content: content
        .map((part) => (part.type === "text" ? part.text : `(an image, ${part.mimeType})`))
        .join("\n"),
    }));
  return [
    {
      role: "assistant",
      content: message.text === "" ? null : message.text,
      tool_calls: mapSome(message.calls, (call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
      })),
    },
  ];
};

/** `turn` makes the ids of calls that come without one unique. */
export const readOpenAiAnswer = (body: unknown, turn: number): ModelAnswer => {
  const { choices, usage } = toFields(body);
  const [first] = toList(choices);
  if (first === undefined) throw invalid('it has no "choices"');
  const { message, finish_reason: reason } = toFields(first);
  const { content, tool_calls: calls } = toFields(message);
  const { prompt_tokens: read, completion_tokens: written } = toFields(usage);
  return {
    text: toText(content),
    calls: toList(calls).map((call, at) => {
      const { id, function: called } = toFields(call);
      const { name, arguments: given } = toFields(called);
      return toCall(toText(id) || `call_${turn}_${at}`, toText(name), parseArguments(given));
    }),
    isCut: reason === "length",
    usage: toUsage(toCount(read), toCount(written)),
  };
};

/** A text with JSON. Some endpoints send the object itself, or nothing for no arguments. */
const parseArguments = (given: unknown): unknown => {
  if (typeof given !== "string") return given ?? {};
  if (given.trim() === "") return {};
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
};

const anthropicVersion = "2023-06-01";

const toAnthropicBody = (
  { instructions, messages, tools = [] }: ModelRequest,
  model: string,
  maxTokens: number,
): object => ({
  model,
  max_tokens: maxTokens,
  system: instructions,
  messages: messages.map(toAnthropicMessage),
  tools: mapSome(tools, ({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  })),
});

const toAnthropicMessage = (message: ModelMessage): object => {
  if (message.role === "user") return { role: "user", content: message.text };
  if (message.role === "tools") return { role: "user", content: message.results.map(toResult) };
  return {
    role: "assistant",
    content: [
      // An empty text is refused.
      ...(message.text.trim() === "" ? [] : [{ type: "text", text: message.text }]),
      ...message.calls.map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: call.arguments ?? {},
      })),
    ],
  };
};

const toResult = ({ callId, content, isError }: ModelCallResult): object => ({
  type: "tool_result",
  tool_use_id: callId,
  content: content
    .filter((part) => part.type === "image" || part.text !== "")
    .map((part) =>
      part.type === "text"
        ? part
        : { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } },
    ),
  is_error: isError === true || undefined,
});

export const readAnthropicAnswer = (body: unknown, turn: number): ModelAnswer => {
  const { content, usage, stop_reason: reason } = toFields(body);
  if (!Array.isArray(content)) throw invalid('it has no "content"');
  const blocks = toList(content).map(toFields);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
    toFields(usage);
  return {
    text: blocks
      .filter(({ type }) => type === "text")
      .map(({ text }) => toText(text))
      .join(""),
    calls: blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }, at) => toCall(toText(id) || `call_${turn}_${at}`, toText(name), input)),
    isCut: reason === "max_tokens",
    usage: toUsage(
      toCount(input_tokens) + toCount(cache_creation_input_tokens) + toCount(cache_read_input_tokens),
      toCount(output_tokens),
    ),
  };
};

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
  options: Pick<SendOptions, "wait" | "timeoutMs"> = {},
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

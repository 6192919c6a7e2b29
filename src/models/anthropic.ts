// Anthropic's messages API.
import type { ModelAnswer, ModelCallResult, ModelMessage, ModelRequest } from "../contracts/index.js";
import { toCall, toCount, toFields, toList, toText, toUsage } from "./read-fields.js";
import { invalid } from "./send-request.js";

export const anthropicVersion = "2023-06-01";

export const toAnthropicBody = (
  { instructions, messages, tools = [] }: ModelRequest,
  model: string,
  maxTokens: number,
): object => ({
  model,
  max_tokens: maxTokens,
  ...(instructions === undefined ? {} : { system: instructions }),
  messages: messages.map(toMessage),
  ...(tools.length === 0
    ? {}
    : {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
      }),
});

const toMessage = (message: ModelMessage): object => {
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
  ...(isError === true ? { is_error: true } : {}),
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

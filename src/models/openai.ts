// OpenAI's chat completions, as many other endpoints speak them too.
import type { ModelAnswer, ModelMessage, ModelRequest } from "../contracts/index.js";
import { toCall, toCount, toFields, toList, toText, toUsage } from "./read-fields.js";
import { invalid } from "./send-request.js";

/** `lengthField`: OpenAI itself wants another name than the others. */
export const toOpenAiBody = (
  { instructions, messages, tools = [] }: ModelRequest,
  model: string,
  maxTokens: number,
  lengthField: "max_tokens" | "max_completion_tokens",
): object => ({
  model,
  [lengthField]: maxTokens,
  messages: [
    ...(instructions === undefined ? [] : [{ role: "system", content: instructions }]),
    ...messages.flatMap(toMessages),
  ],
  ...(tools.length === 0
    ? {}
    : {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          function: { name, description, parameters: inputSchema },
        })),
      }),
});

const toMessages = (message: ModelMessage): readonly object[] => {
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
      ...(message.calls.length === 0
        ? {}
        : {
            tool_calls: message.calls.map((call) => ({
              id: call.id,
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
            })),
          }),
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

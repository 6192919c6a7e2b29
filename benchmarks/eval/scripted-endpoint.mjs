// A model's endpoint on this machine that plays recorded answers, in the styles of OpenAI and Anthropic. Its token counts are real (o200k).
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { count } from "../tokens/conversation.mjs";

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");

/** What the two styles have in common: the task, how many answers there were, what the last tools said. */
const readConversation = ({ messages }) => {
  const task = textOf(messages.find(({ role }) => role === "user").content);
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const { role, content } = messages.at(-1);
  const isAnthropic = role === "user" && Array.isArray(content);
  const results =
    role === "tool" ? [textOf(content)] : isAnthropic ? content.map((part) => textOf(part.content)) : [];
  return { task, turn, results };
};

const styles = {
  "/chat/completions": ({ text, calls }, { model, messages, tools = [] }) => ({
    id: "scripted",
    object: "chat.completion",
    model,
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          tool_calls: calls.map((call, at) => ({
            id: `call_${messages.length}_${at}`,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        },
      },
    ],
    usage: {
      prompt_tokens: count(JSON.stringify(messages) + JSON.stringify(tools)),
      completion_tokens: count(text + (calls.length > 0 ? JSON.stringify(calls) : "")),
    },
  }),
  "/messages": ({ text, calls }, { model, system = "", messages, tools = [] }) => ({
    id: "scripted",
    type: "message",
    role: "assistant",
    model,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    content: [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((call, at) => ({
        type: "tool_use",
        id: `toolu_${messages.length}_${at}`,
        name: call.name,
        input: call.arguments,
      })),
    ],
    usage: {
      input_tokens: count(system + JSON.stringify(messages) + JSON.stringify(tools)),
      output_tokens: count(text + (calls.length > 0 ? JSON.stringify(calls) : "")),
    },
  }),
};

/**
 * `findSteps(task)` are the answers, one per turn: `{ text, calls: [{ name, arguments }] }`, or a function of the last tools' results that
 * returns one. `failures` of a step, `{ status, headers, body }`, are played before it. `body` replaces the whole answer.
 */
export const openScriptedEndpoint = async (findSteps) => {
  const requests = [];
  const played = new Map();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const body = await json(request);
    requests.push({ path, headers: request.headers, body });
    const send = (status, content, headers = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof content === "string" ? content : JSON.stringify(content));
    };
    const render = styles[Object.keys(styles).find((end) => path.endsWith(end))];
    if (render === undefined) return send(404, { error: { message: `There is no "${path}"` } });
    const { task, turn, results } = readConversation(body);
    const written = (await findSteps(task, body))?.[turn];
    if (written === undefined) return send(400, { error: { message: `Turn ${turn + 1} is not scripted` } });
    const step = typeof written === "function" ? written(results) : written;
    const key = `${task}\n${turn}`;
    const failure = step.failures?.[played.get(key) ?? 0];
    if (failure !== undefined) {
      played.set(key, (played.get(key) ?? 0) + 1);
      return send(failure.status, failure.body ?? { error: { message: "busy" } }, failure.headers);
    }
    send(200, step.body ?? render({ text: "", calls: [], ...step }, body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    /** Everything that was asked, in order. */
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
};

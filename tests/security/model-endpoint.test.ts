// A model's endpoint that sends whatever it likes: the host stays responsive, and every answer ends.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const size = 2 * 2 ** 20 - 1000;
const repeat = (part: string, length = size): string => part.repeat(Math.floor(length / part.length));
const choose = (message: string): string => `{"choices":[{"message":${message}}]}`;
const call = (given: string): string =>
  choose(`{"tool_calls":[{"id":"c","function":{"name":"run_code","arguments":${given}}}]}`);

const answers: Readonly<Record<string, string>> = {
  "a long text": choose(`{"content":"${repeat("a ")}"}`),
  "a long text without spaces": choose(`{"content":"${repeat("a")}"}`),
  "hundreds of thousands of calls": choose(`{"tool_calls":[${repeat("{},")}{}]}`),
  "hundreds of thousands of arguments": call(`{"code":[${repeat("{},")}1]}`),
  "deep arguments": call(`{"code":${repeat("[", size / 2)}${repeat("]", size / 2)}}`),
  "deep arguments as text": call(JSON.stringify(`{"code":${repeat("[", size / 2)}${repeat("]", size / 2)}}`)),
  "an argument with the name of the prototype": call(JSON.stringify('{"__proto__":{"code":"return 1"}}')),
  "a long program": call(JSON.stringify(JSON.stringify({ code: repeat("a+", size / 2) }))),
  "a long name": choose(`{"tool_calls":[{"function":{"name":"${repeat("é", size / 2)}"}}]}`),
};

it.each(Object.keys(answers))("an answer with %s does not block the host", async (name) => {
  const folder = await temporaryFolder();
  let asked = 0;
  const server = createServer((request, response) => {
    request
      .resume()
      .on("end", () => response.end(asked++ === 0 ? answers[name] : choose('{"content":"done"}')));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const coordinator = await openCoordinator({
    config: { mcpServers: {} },
    settings: {
      ...{ cacheFolder: folder, stateFolder: folder },
      model: {
        ...{ provider: "ollama", model: "m", budgetTokens: 100_000_000 },
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      },
    },
  });
  onTestFinished(async () => {
    await coordinator.close();
    server.closeAllConnections();
    server.close();
  });
  const { status, turns, answer } = await coordinator.ask({ task: "hi", maxTurns: 2 });
  expect(status).toBe("answered");
  expect(turns === 1 ? answer.length > 1_000_000 : answer === "done").toBe(true);
});

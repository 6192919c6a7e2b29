// A task as models do it today: every tool in the context, every call and every answer through the model.
import { connect, textsOf } from "./connect.mjs";
import { openConversation, toDefinition } from "./conversation.mjs";

/** With more servers than this, not all run at the same time. */
const maxAtOnce = 10;

/** Independent calls are made in one turn: the best case for direct calling. */
export const runDirect = async ({ question, direct }, servers) => {
  const clients = new Map();
  const isKept = Object.keys(servers).length <= maxAtOnce;
  const open = async (name) => {
    if (!clients.has(name)) clients.set(name, await connect(servers[name]));
    return clients.get(name);
  };
  const close = async (name) => {
    await clients.get(name)?.close();
    clients.delete(name);
  };
  try {
    const shown = [];
    for (const name of Object.keys(servers)) {
      const client = await open(name);
      const { tools } = await client.listTools();
      shown.push({ instructions: client.getInstructions(), tools: tools.map(toDefinition) });
      if (!isKept) await close(name);
    }
    const texts = shown.map(({ instructions = "", tools }) => `${instructions}${JSON.stringify(tools)}`);
    const { turn, figures } = openConversation({ shown: texts.join(""), question });
    const steps = direct();
    let step = steps.next();
    while (!step.done) {
      const answers = await Promise.all(
        step.value.map(async ([server, name, given]) =>
          textsOf(await (await open(server)).callTool({ name, arguments: given })),
        ),
      );
      const calls = step.value.map(([, name, given]) => JSON.stringify({ name, arguments: given }));
      turn("calls", calls, answers.flat());
      step = steps.next(answers.map((parts) => parts.join("\n")));
    }
    turn("answer", [step.value]);
    return { figures, answer: step.value, tools: shown.reduce((sum, { tools }) => sum + tools.length, 0) };
  } finally {
    await Promise.all([...clients.keys()].map(close));
  }
};

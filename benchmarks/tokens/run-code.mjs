// The same task through `mcp-coordinator serve`: search for functions, run programs, answer.
import { join } from "node:path";
import { connect, textsOf } from "./connect.mjs";
import { count, openConversation, toDefinition } from "./conversation.mjs";

const call = async (client, name, given) => {
  const answer = await client.callTool({ name, arguments: given }, { timeout: 300_000 });
  const texts = textsOf(answer);
  if (answer.isError) throw new Error(`Cannot measure: "${name}" failed: ${texts.join("\n")}`);
  return { answer, texts, written: JSON.stringify({ name, arguments: given }) };
};

/** The product's own meter must equal this count. */
const checkMeter = ({ answer, texts, written }) => {
  const meter = answer._meta?.["mcp-coordinator/meter"];
  if (meter === undefined) return;
  const returned = texts.reduce((total, text) => total + count(text), 0);
  if (meter.returnedTokens !== returned || meter.programTokens !== count(written))
    throw new Error(
      `Cannot trust the meter: it says ${JSON.stringify(meter)}, counted were ${returned} returned`,
    );
};

/** Functions that the descriptions already show need no search. */
const isShown = (shown, name) => {
  const at = shown.indexOf(`${name}(`);
  if (at < 0) return false;
  const [line] = shown.slice(at).split("\n");
  // A call needs all arguments. Of a result, the beginning is enough.
  const end = line.lastIndexOf("): ");
  return !line.slice(0, end < 0 ? undefined : end).includes("…");
};

export const runCode = async ({ question, code }, { launch, config, cacheFolder }) => {
  const client = await connect({
    ...launch,
    args: [...launch.args, "serve", "--config", config],
    env: { MCP_COORDINATOR_CACHE_FOLDER: cacheFolder ?? join(config, "..", "cache") },
  });
  try {
    const { tools } = await client.listTools();
    const shown = `${client.getInstructions() ?? ""}${JSON.stringify(tools.map(toDefinition))}`;
    const { turn, figures } = openConversation({ shown, question });
    const descriptions = tools.map(({ description }) => description).join("\n");
    const searches = code.needs.every((name) => isShown(descriptions, name)) ? [] : code.searches;
    const found = await Promise.all(searches.map((given) => call(client, "search_tools", given)));
    if (found.length > 0)
      turn(
        "discovery",
        found.map(({ written }) => written),
        found.flatMap(({ texts }) => texts),
      );
    let output = [];
    for (const program of code.programs) {
      const run = await call(client, "run_code", { code: program });
      checkMeter(run);
      output = run.texts;
      turn("program", [run.written], output);
    }
    // Notes for a next program come after what it returned.
    const answer = code.toAnswer(output[0] ?? "");
    turn("answer", [answer]);
    return { figures, answer };
  } finally {
    await client.close();
  }
};

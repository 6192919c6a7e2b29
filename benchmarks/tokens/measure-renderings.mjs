// Counts the same tools as JSON, as our signatures and declarations, and as search results.
import { pathToFileURL } from "node:url";
import { connect, textsOf } from "./connect.mjs";
import { count, toDefinition } from "./conversation.mjs";

const firstSentence = (text = "") => /^.+?[.!?](?=\s|$)/s.exec(text.replace(/\s+/g, " ").trim())?.[0] ?? text;

const onlyRequired = ({ name, description, inputSchema }) => {
  const { properties = {}, required = [] } = inputSchema;
  const kept = Object.entries(properties).filter(([property]) => required.includes(property));
  return {
    name,
    description: firstSentence(description),
    inputSchema: { ...inputSchema, properties: Object.fromEntries(kept) },
  };
};

/** The answer to a search with five hits. */
const countSearch = async ({ launch, config, cacheFolder, query }) => {
  const client = await connect({
    ...launch,
    args: [...launch.args, "serve", "--config", config],
    env: { MCP_COORDINATOR_CACHE_FOLDER: cacheFolder },
  });
  const answer = await client.callTool({ name: "search_tools", arguments: { query, limit: 5 } });
  await client.close();
  return count(textsOf(answer).join("\n"));
};

/** The tools of one configured server. */
export const measureRenderings = async (options) => {
  const { library, config, cacheFolder, server } = options;
  const { openCoordinator } = await import(pathToFileURL(library).href);
  const coordinator = await openCoordinator({ config, settings: { cacheFolder } });
  try {
    const summaries = await coordinator.listTools({ server });
    const tools = await Promise.all(
      summaries.map(({ name }) => coordinator.showTool({ server, tool: name })),
    );
    const join = (toLine) => count(tools.map(toLine).join("\n"));
    return {
      tools: tools.length,
      json: count(JSON.stringify(tools.map(toDefinition))),
      requiredOnly: count(JSON.stringify(tools.map(onlyRequired))),
      declarations: join(({ declaration }) => declaration),
      signatures: join(({ signature, description }) => `${signature} // ${firstSentence(description)}`),
      names: join(({ name }) => name),
      fiveHits: await countSearch(options),
    };
  } finally {
    await coordinator.close();
  }
};

// Counts what the demo costs a model in tokens: with us, and with the same calls made one by one.
import type { Json, JsonObject } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";

export interface TokenCounts {
  readonly definitions: number;
  readonly program: number;
  readonly answers: number;
  readonly output: number;
}

export const totalOf = (counts: TokenCounts): number =>
  counts.definitions + counts.program + counts.answers + counts.output;

/** With us: our tool definitions, the program, its output. */
export const countWith = async (
  coordinator: Coordinator,
  texts: { readonly definitions: string; readonly program: string; readonly output: string },
): Promise<TokenCounts> => ({
  definitions: await coordinator.countTokens(texts.definitions),
  program: await coordinator.countTokens(texts.program),
  answers: 0,
  output: await coordinator.countTokens(texts.output),
});

const readDefinitions = async (coordinator: Coordinator): Promise<readonly object[]> =>
  Promise.all(
    (await coordinator.listTools()).map(async ({ server, name }) => {
      const { description, inputSchema } = await coordinator.showTool({ server, tool: name });
      return { name: `${server}__${name}`, description, inputSchema };
    }),
  );

// Repeats the program's calls, because a run stores only the sizes of its answers.
const repeatCalls = async (coordinator: Coordinator): Promise<readonly Json[]> => {
  const call = (server: string, tool: string, args: JsonObject, isRaw: boolean): Promise<Json> =>
    coordinator.callTool({ server, tool, arguments: args, isRaw });
  const { entities } = (await call("memory", "read_graph", {}, false)) as {
    entities: readonly { readonly name: string }[];
  };
  const names = entities.map(({ name }) => name);
  await call("memory", "delete_entities", { entityNames: names }, false);
  return Promise.all([
    call("filesystem", "read_text_file", { path: "orders.csv" }, true),
    ...names.map((location) => call("everything", "get-structured-content", { location }, true)),
    call("memory", "create_entities", { entities: entities as unknown as Json }, true),
  ]);
};

// Most clients show a model only the content blocks, so the structured copy is not counted.
const contentOf = (answer: Json): Json => (answer as JsonObject).content ?? null;

/** Without us: the definitions of all tools, and every answer passing through the model. */
export const countWithout = async (coordinator: Coordinator): Promise<TokenCounts> => ({
  definitions: await coordinator.countTokens(JSON.stringify(await readDefinitions(coordinator))),
  program: 0,
  answers: await coordinator.countTokens(JSON.stringify((await repeatCalls(coordinator)).map(contentOf))),
  output: 0,
});

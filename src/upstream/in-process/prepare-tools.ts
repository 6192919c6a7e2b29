// Prepares functions registered in code: lists them like a server's tools and adds validation.
import {
  CoordinatorError,
  type HostFunction,
  type HostTool,
  type InProcessTarget,
  type ListedTool,
} from "../../contracts/index.js";
import { readSchema } from "./read-schema.js";

const noArguments = { type: "object", properties: {}, additionalProperties: false } as const;

/** A name that is safe in a message, a file and a journal. */
const toolName = /^[^\p{C}\s]{1,128}$/u;

/** Prepares the tools. Throws TOOLS_INVALID for a tool that cannot work. */
export const prepareTools = async (
  server: string,
  tools: Readonly<Record<string, HostTool>>,
): Promise<InProcessTarget> => {
  const entries = await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => prepareTool(server, name, tool)),
  );
  return {
    kind: "in-process",
    listing: {
      server,
      tools: entries.map(({ listed }) => listed),
      resources: [],
      resourceTemplates: [],
      prompts: [],
    },
    functions: new Map(entries.map(({ listed, call }) => [listed.name, call])),
  };
};

const prepareTool = async (
  server: string,
  name: string,
  tool: HostTool,
): Promise<{ readonly listed: ListedTool; readonly call: HostFunction }> => {
  const full = `${server}.${name}`;
  if (!toolName.test(name))
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot register the tool ${JSON.stringify(full.slice(0, 200))}: its name has spaces or cannot be shown, or is longer than 128 characters`,
    );
  if (typeof tool !== "object" || tool === null || typeof tool.run !== "function")
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot register the tool "${full}": it has no function "run"`,
    );
  const { title, description, annotations, timeoutMs } = tool;
  const input = await readSchema(tool.input ?? noArguments, "input", `the input of "${full}"`);
  if (input.schema.type !== undefined && input.schema.type !== "object")
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot use the input of "${full}": its type is ${JSON.stringify(input.schema.type)}, expected "object"`,
    );
  const output =
    tool.output === undefined
      ? undefined
      : await readSchema(tool.output, "output", `the output of "${full}"`);
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...input.schema, type: "object" },
      outputSchema: output?.schema,
      annotations,
    },
    call: {
      timeoutMs,
      run: tool.run as HostFunction["run"],
      validate: async (given) => {
        const { problem, ...checked } = await input.check(given);
        if (problem === undefined) return (checked as { readonly value: unknown }).value;
        throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${full}": ${problem}`);
      },
      validateAnswer:
        output === undefined
          ? undefined
          : async (answer) => {
              const { problem, ...checked } = await output.check(answer);
              if (problem === undefined) return (checked as { readonly value: unknown }).value;
              throw new CoordinatorError(
                "RESULT_INVALID",
                `Cannot take the answer of "${full}": it is not what its output says: ${problem}`,
              );
            },
    },
  };
};

// @ai-sdk/code-mode: QuickJS in worker threads.

const raisedLimits = {
  maxInFlightBridgeRequests: 1000,
  maxBridgeRequests: 10_000,
  maxToolOutputBytes: 64 << 20,
  memoryLimitBytes: 512 << 20,
  maxResultBytes: 8 << 20,
};

export const create = async ({ tools, limitMs, isRaised, load }) => {
  const { experimental_createCodeModeTool: createCodeModeTool } = await load("@ai-sdk/code-mode");
  const { tool, jsonSchema, asSchema } = await load("ai");
  const toTool = ({ description, inputSchema, outputSchema, call }) =>
    tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      ...(outputSchema && { outputSchema: jsonSchema(outputSchema) }),
      execute: (given) => call(given),
    });
  const executionPolicy = { timeoutMs: limitMs, ...(isRaised && raisedLimits) };
  const codeMode = createCodeModeTool(Object.fromEntries(tools.map((one) => [one.key, toTool(one)])), {
    executionPolicy,
  });
  const inputSchema = await asSchema(codeMode.inputSchema).jsonSchema;
  return {
    list: [{ name: "code_mode", description: codeMode.description, inputSchema }],
    run: async (js) => ({ value: await codeMode.execute({ js }, { toolCallId: "bench", messages: [] }) }),
  };
};

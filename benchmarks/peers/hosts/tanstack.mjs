// @tanstack/ai-code-mode with its isolated-vm driver.

export const create = async ({ tools, limitMs, isRaised, load }) => {
  const { createCodeMode } = await load("@tanstack/ai-code-mode");
  const { toolDefinition } = await load("@tanstack/ai");
  const { createNodeIsolateDriver } = await load("@tanstack/ai-isolate-node");
  const wrapped = tools.map(({ key, description = "", inputSchema, outputSchema, call }) =>
    toolDefinition({ name: key, description, inputSchema, ...(outputSchema && { outputSchema }) }).server(
      (given) => call(given),
    ),
  );
  const { tool, systemPrompt } = createCodeMode({
    driver: createNodeIsolateDriver({}),
    tools: wrapped,
    timeout: limitMs,
    memoryLimit: isRaised ? 512 : 128,
  });
  const inputSchema = tool.inputSchema?.toJSONSchema?.() ?? tool.inputSchema;
  return {
    instructions: systemPrompt,
    list: [{ name: tool.name, description: tool.description, inputSchema }],
    run: async (typescriptCode) => {
      const { success, result, error } = await tool.execute({ typescriptCode });
      return success ? { value: result } : { value: error, isError: true };
    },
  };
};

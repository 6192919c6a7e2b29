// `@ai-sdk/code-mode`: QuickJS in worker threads. Its limits on calls and answers are raised, or it would refuse the rows on speed.
const megabyte = 1024 * 1024;

export const aiSdkCodeMode = {
  name: "@ai-sdk/code-mode",
  language: "typescript",
  packages: ["@ai-sdk/code-mode@1.0.42", "ai@7.0.85", "zod@4.6.7"],
  open: async ({ limits, load }) => {
    const { experimental_createCodeModeTool: createCodeModeTool } = await load("@ai-sdk/code-mode");
    const { jsonSchema, tool } = await load("ai");
    const executionPolicy = {
      timeoutMs: limits.timeoutMs,
      memoryLimitBytes: limits.memoryMb * megabyte,
      maxResultBytes: limits.outputBytes,
      maxBridgeRequests: 10_000,
      maxToolOutputBytes: 64 * megabyte,
    };
    const inputSchema = jsonSchema({ type: "object" });
    const run = async (program, tools) => {
      const set = Object.entries(tools).map(([name, execute]) => [name, tool({ inputSchema, execute })]);
      const codeMode = createCodeModeTool(Object.fromEntries(set), { executionPolicy });
      return codeMode.execute({ js: program }, { toolCallId: "bench", messages: [] });
    };
    return { run, close: async () => {} };
  },
};

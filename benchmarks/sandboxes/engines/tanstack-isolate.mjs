// `@tanstack/ai-isolate-node`, the driver behind TanStack's code mode: isolated-vm in the host's process.
const isOld = Number.parseInt(process.versions.node, 10) < 24;

export const tanstackIsolate = {
  name: "@tanstack/ai-isolate-node",
  language: "typescript",
  packages: [
    "@tanstack/ai-isolate-node@0.1.43",
    "@tanstack/ai-code-mode@0.3.4",
    "@tanstack/ai@0.39.0",
    "zod@4.6.7",
    isOld ? "isolated-vm@6.2.0" : "isolated-vm@7.0.1",
  ],
  flags: ["--no-node-snapshot"],
  open: async ({ limits, load }) => {
    const { createNodeIsolateDriver } = await load("@tanstack/ai-isolate-node");
    const driver = createNodeIsolateDriver({ memoryLimit: limits.memoryMb, timeout: limits.timeoutMs });
    const run = async (program, tools) => {
      const names = Object.keys(tools);
      const bindings = Object.fromEntries(names.map((name) => [name, { name, execute: tools[name] }]));
      const context = await driver.createContext({ bindings });
      try {
        const code = `const tools = { ${names.join(", ")} };\n${program}`;
        const { success, value, error } = await context.execute(code);
        if (success) return value;
        throw new Error(error.message);
      } finally {
        await context.dispose();
      }
    };
    return { run, close: async () => {} };
  },
};

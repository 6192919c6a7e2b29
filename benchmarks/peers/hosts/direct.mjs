// The baseline: the program runs in this process, without a sandbox, and calls the SDK's client.
const AsyncFunction = (async () => {}).constructor;

export const create = async ({ tools }) => {
  const functions = Object.fromEntries(tools.map(({ key, call }) => [key, call]));
  return {
    list: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    run: async (code) => ({ value: await new AsyncFunction("tools", code)(functions) }),
  };
};

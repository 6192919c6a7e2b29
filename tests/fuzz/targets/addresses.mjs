// URIs of resources, and prefixes of names that a client wants to complete.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return {
    take: async (text) => {
      await coordinator
        .completeName({
          of: { prompt: "use_server" },
          argument: "tool",
          value: text,
          known: { server: text },
        })
        .catch((error) => {
          if (error.code === "INTERNAL") throw error;
        });
      await coordinator.readResource({ uri: text });
    },
  };
};

// Definitions of tools: listed, rendered in both languages, indexed, and used to check a program.
import { openHost, useDefinitions } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return {
    take: async (content) => {
      await coordinator.callTool({
        server: "shop",
        tool: "say",
        arguments: { kind: "tools", content },
        isApproved: true,
      });
      await coordinator.listTools({ server: "shop", refresh: true });
      await useDefinitions(coordinator);
    },
  };
};

// Answers of a server: any JSON instead of a tool's result.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return {
    take: async (content) => {
      const value = await coordinator.callTool({
        server: "shop",
        tool: "say",
        arguments: { kind: "result", content },
        isApproved: true,
      });
      await coordinator.showAnswer({ value });
    },
  };
};

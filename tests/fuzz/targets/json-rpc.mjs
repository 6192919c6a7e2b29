// Lines that a server writes to its stdout: JSON-RPC, almost JSON-RPC, and noise.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return {
    take: (content) =>
      coordinator.callTool({
        server: "shop",
        tool: "say",
        arguments: { kind: "line", content },
        isApproved: true,
      }),
  };
};

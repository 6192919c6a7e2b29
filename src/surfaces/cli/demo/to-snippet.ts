// What a person pastes into their client's configuration to get the same.
import { sep } from "node:path";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../../../bin/mcp-coordinator.mjs", import.meta.url));
const isInstalled = script.includes(`${sep}node_modules${sep}`);

/** How a command of this copy begins, in its own folder. */
export const ownCommand = isInstalled ? "npx mcp-coordinator" : "node bin/mcp-coordinator.mjs";

/** Names this very copy: a checkout by its path, an installed package by its name. */
export const toSnippet = (): object => {
  const words = ["serve", "--config", "/path/to/your/mcp.json"];
  return {
    mcpServers: {
      coordinator: isInstalled
        ? { command: "npx", args: ["-y", "mcp-coordinator", ...words] }
        : { command: "node", args: [script, ...words] },
    },
  };
};

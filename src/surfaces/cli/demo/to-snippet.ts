// The snippet for a client's configuration.
import { findOwnCommand } from "../../../coordinator/index.js";

/** Refers to this installation, so that it works from where it is. */
export const toSnippet = (): object => {
  const { command, args } = findOwnCommand();
  return {
    mcpServers: {
      coordinator: { command, args: [...args, "serve", "--config", "/path/to/your/mcp.json"] },
    },
  };
};

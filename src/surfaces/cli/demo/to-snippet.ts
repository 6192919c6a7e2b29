// What a person pastes into their client's configuration to get the same, and how they go on in a terminal.
import { findOwnCommand } from "../../../coordinator/index.js";

/** Names this very copy, in a way that works from where it is installed. */
export const toSnippet = (): object => {
  const { command, args } = findOwnCommand();
  return {
    mcpServers: {
      coordinator: { command, args: [...args, "serve", "--config", "/path/to/your/mcp.json"] },
    },
  };
};

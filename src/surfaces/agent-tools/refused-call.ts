// The error for a caller's mistake with an agent tool: its name, or an argument.
import { CoordinatorError } from "../../contracts/index.js";

/** Not a tool's failure: over MCP it is a protocol error. */
export class RefusedCall extends CoordinatorError {
  constructor(message: string) {
    super("USAGE", message, { hint: "Correct the call." });
  }
}

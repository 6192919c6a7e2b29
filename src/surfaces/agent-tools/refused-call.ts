// What a caller did wrong with a tool that agents see: its name, or an argument.
import { CoordinatorError } from "../../contracts/index.js";

/** Not a tool's failure: over MCP it is an error of the protocol. */
export class RefusedCall extends CoordinatorError {
  constructor(message: string) {
    super("USAGE", message, { hint: "Correct the call." });
  }
}

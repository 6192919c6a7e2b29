// `trust`: lets this folder's configuration start its commands, exactly as it is.
import { CoordinatorError } from "../../../contracts/index.js";
import type { Command } from "../command.js";
import { askTrust, noteUntrusted } from "../prompt/ask-trust.js";

export const trust: Command = {
  name: "trust",
  usage: ["trust [--yes] [--config PATH]", "trust --forget"],
  description:
    "A configuration in the working folder may come from somebody else, or from a program, so its commands start only after you have reviewed them. If one changes, you are asked again. A file given with --config needs no review, unless serve has --require-trust, as in entries that init writes for a project. --trust applies to one command, MCP_COORDINATOR_TRUST=1 to one process.",
  examples: [
    ["mcp-coordinator trust", "Show what it would start, and ask"],
    ["mcp-coordinator trust --config team/mcp.json", "The same for a file that clients use"],
    ["mcp-coordinator trust --forget", "Ask again from now on"],
  ],
  options: {
    yes: { type: "boolean", short: "y", summary: "Trust without asking" },
    forget: {
      type: "boolean",
      summary: "Revoke trust in this folder, or in the files given with --config",
    },
  },
  run: async ({ screen, options }) => {
    const { trust: decide } = await import("../../../coordinator/index.js");
    const config = options.texts.config;
    const place = config === undefined ? "this folder" : config.join(", ");
    if (options.facts.has("forget")) {
      const { forgotten } = await decide({ config, isForgotten: true });
      if (screen.isJson) screen.document({ forgotten });
      else
        screen.print(forgotten === 0 ? `Nothing in ${place} was trusted` : `Forgot ${forgotten} of ${place}`);
      return 0;
    }
    const { items } = await decide({ config, isDryRun: true });
    const isAgreed = options.facts.has("yes");
    if (items.length === 0) {
      if (screen.isJson) screen.document({ items, isWritten: false });
      else screen.print(`Nothing in ${place} needs to be trusted`);
      return 0;
    }
    if (!isAgreed && (screen.isJson || !screen.canAsk)) {
      if (!screen.isJson) noteUntrusted(screen, items);
      throw new CoordinatorError(
        "CONFIRMATION_NEEDED",
        `Cannot trust ${place}: there is no terminal to ask for confirmation`,
        {
          hint: "Review what it would start, then run it again with --yes.",
          details: { items },
        },
      );
    }
    if (isAgreed && !screen.isJson) noteUntrusted(screen, items);
    if (!isAgreed && !(await askTrust(screen, items))) {
      screen.note("Nothing was trusted");
      return 1;
    }
    const result = await decide({ config, shown: items });
    if (screen.isJson) screen.document(result);
    else screen.print(`Trusted ${result.items.length} of ${place}, until it changes`);
    return 0;
  },
};

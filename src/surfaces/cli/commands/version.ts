// `version`: the version of this package, and what it runs on.
import type { Command } from "../command.js";
import { readVersion } from "../read-version.js";

export const version: Command = {
  name: "version",
  usage: ["version"],
  examples: [["mcp-coordinator version --json", "For a bug report"]],
  options: {},
  run: async ({ screen }) => {
    const facts = {
      version: readVersion(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
    if (screen.isJson) screen.document(facts);
    else screen.print(`mcp-coordinator ${facts.version} (Node ${facts.node}, ${facts.platform})`);
    return 0;
  },
};

// `version`: the version of this package, and what it runs on.
import { readFileSync } from "node:fs";
import type { Command } from "../command.js";

const readVersion = (): string => {
  const file = new URL("../../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};

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

// `help` and `version`: all commands, the help of one, and what this package runs on.
import { readFileSync } from "node:fs";
import { type Command, type CommandEntry, type KnownCommand, sharedOptions } from "../command.js";
import { renderCommandHelp, renderGeneralHelp } from "../render/help.js";

const describe = ({ name, summary, usage, options }: KnownCommand) => ({ name, summary, usage, options });

export const help: Command = {
  name: "help",
  usage: ["help [COMMAND]"],
  examples: [["mcp-coordinator help run", "The help of one command"]],
  options: {},
  run: async ({ screen, words: [name], groups, findCommand }) => {
    if (name === undefined) {
      const describeEntry = async (entry: CommandEntry) => describe(await findCommand(entry.name));
      if (screen.isJson) {
        const commands = await Promise.all(groups.flatMap((group) => group.commands).map(describeEntry));
        screen.document({ commands, sharedOptions });
      } else for (const line of renderGeneralHelp(screen, groups)) screen.print(line);
      return 0;
    }
    const command = await findCommand(name);
    if (screen.isJson) screen.document(describe(command));
    else for (const line of renderCommandHelp(screen, command)) screen.print(line);
    return 0;
  },
};

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

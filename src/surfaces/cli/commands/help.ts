// `help`: every command, or everything about one.
import { type Command, sharedOptions } from "../command.js";
import { renderCommandHelp, renderGeneralHelp } from "../render/help.js";

const describe = ({ name, summary, usage, options }: Command) => ({ name, summary, usage, options });

export const help: Command = {
  name: "help",
  summary: "Show every command, or everything about one",
  usage: ["help [COMMAND]"],
  examples: [["mcp-coordinator help run", "Everything about one command"]],
  options: {},
  run: async ({ screen, words: [name], loadCommands, findCommand }) => {
    if (name === undefined) {
      const commands = await loadCommands();
      if (screen.isJson) screen.document({ commands: commands.map(describe), sharedOptions });
      else for (const line of renderGeneralHelp(screen, commands)) screen.print(line);
      return 0;
    }
    const command = await findCommand(name);
    if (screen.isJson) screen.document(describe(command));
    else for (const line of renderCommandHelp(screen, command)) screen.print(line);
    return 0;
  },
};

// `resources` and `prompts`: list what agents can read or use, or print one.
import type { Command } from "../command.js";
import { usage } from "../read-words.js";

export const resources: Command = {
  name: "resources",
  usage: ["resources [URI]"],
  description:
    "These are the files that generate writes. Listing them starts no server. Reading a file of a server whose tools were never listed starts that server.",
  examples: [
    ["mcp-coordinator resources", "All resources"],
    ["mcp-coordinator resources library://servers/github", "The tools of one server"],
    ["mcp-coordinator resources library://servers/github/createIssue.ts", "One tool"],
    ["mcp-coordinator resources server://github/repo://me/app/README.md", "A resource of a server"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    const [uri, ...others] = words;
    if (others.length > 0)
      throw usage("read a resource", `there are ${words.length} words, expected one URI`, "resources");
    const coordinator = await open();
    if (uri !== undefined) {
      const offered = await screen.during(`reading "${uri}"`, coordinator.readOffered({ resource: uri }));
      if (offered !== undefined) {
        screen.document(offered);
        return 0;
      }
      const found = await screen.during(`reading "${uri}"`, coordinator.readResource({ uri }));
      if (screen.isJson) screen.document(found);
      else screen.print(screen.plain(found.text).trimEnd());
      return 0;
    }
    const listed = [];
    let cursor: string | undefined;
    do {
      const page = await coordinator.listResources({ cursor });
      listed.push(...page.resources);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const templates = await coordinator.listResourceTemplates();
    if (screen.isJson) {
      screen.document({ resources: listed, templates });
      return 0;
    }
    const rows = [
      ...listed.map((one) => [one.uri, one.description]),
      ...templates.map((one) => [one.uriTemplate, one.description]),
    ];
    screen.table(rows);
    return 0;
  },
};

const readArguments = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => {
      const cut = word.indexOf("=");
      if (cut < 1)
        throw usage("get a prompt", `"${word}" is not an argument, expected NAME=VALUE`, "prompts");
      return [word.slice(0, cut), word.slice(cut + 1)];
    }),
  );

export const prompts: Command = {
  name: "prompts",
  usage: ["prompts [PROMPT [argument=value …]]"],
  examples: [
    ["mcp-coordinator prompts", "All prompts"],
    [
      "mcp-coordinator prompts usage-guide server=github",
      "How to write programs, with one server's functions",
    ],
    ["mcp-coordinator prompts add-servers", "For an AI that helps you add servers"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    const [name, ...rest] = words;
    const given = readArguments(rest);
    const coordinator = await open();
    if (name === undefined) {
      const listed = await coordinator.listPrompts();
      if (screen.isJson) screen.document(listed);
      else {
        const rows = listed.map((one) => [
          one.name,
          one.arguments.map((argument) => `${argument.name}=`).join(" "),
          one.description,
        ]);
        screen.table(rows);
      }
      return 0;
    }
    const offered = await screen.during(
      "reading the prompt",
      coordinator.readOffered({ prompt: name, arguments: given }),
    );
    if (offered !== undefined) {
      screen.document(offered);
      return 0;
    }
    const found = await screen.during(
      "writing the prompt",
      coordinator.getPrompt({ name, arguments: given }),
    );
    if (screen.isJson) screen.document(found);
    else screen.print(screen.plain(found.text).trimEnd());
    return 0;
  },
};

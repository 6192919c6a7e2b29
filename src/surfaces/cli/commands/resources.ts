// `resources`: lists the library files that agents can read, or prints one.
import type { Command } from "../command.js";
import { usage } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";

export const resources: Command = {
  name: "resources",
  usage: ["resources [URI]"],
  description:
    "The same files that generate writes, without writing them. Listing starts no server; reading a file of a server that was never listed starts it.",
  examples: [
    ["mcp-coordinator resources", "What is there"],
    ["mcp-coordinator resources library://servers/github", "The tools of one server"],
    ["mcp-coordinator resources library://servers/github/createIssue.ts", "One tool"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    const [uri, ...others] = words;
    if (others.length > 0)
      throw usage("read a resource", `there are ${words.length} words, expected one URI`, "resources");
    const coordinator = await open();
    if (uri !== undefined) {
      const found = await screen.during(`reading "${uri}"`, coordinator.readResource({ uri }));
      if (screen.isJson) screen.document(found);
      else screen.print(screen.plain(found.text).trimEnd());
      return 0;
    }
    const listed = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await coordinator.listResources(cursor === "" ? {} : { cursor });
      listed.push(...page.resources);
      cursor = page.nextCursor;
    }
    const templates = await coordinator.listResourceTemplates();
    if (screen.isJson) {
      screen.document({ resources: listed, templates });
      return 0;
    }
    const rows = [
      ...listed.map((one) => [one.uri, one.description]),
      ...templates.map((one) => [one.uriTemplate, one.description]),
    ].map((row) => row.map(toPlainText));
    for (const line of renderTable(rows, { columns: screen.tableColumns })) screen.print(line);
    return 0;
  },
};

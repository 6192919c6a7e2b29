// Generates files and parts of files from the source. `npm run docs` writes them; a test compares them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toCommandDocument } from "./command-document.mjs";
import { toConfigurationSchema, toServerTable, toSettingTables } from "./configuration-files.mjs";
import { toMethodTables } from "./method-table.mjs";

export const replacePart = (text, name, content, command = "npm run docs") => {
  const [begin, end] = [`<!-- made by ${command}: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`Cannot find the part "${name}": expected "${begin}" and "${end}"`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
};

/** Path → content. `facts` are the tables and schemas of the source. */
export const makeGeneratedFiles = (folder, facts) => {
  const read = (path) => readFileSync(join(folder, path), "utf8");
  const withParts = (path, parts) =>
    Object.entries(parts).reduce((text, [name, content]) => replacePart(text, name, content), read(path));
  return {
    "schema/mcp-coordinator.schema.json": `${JSON.stringify(toConfigurationSchema(facts), undefined, 2)}\n`,
    "docs/configuration.md": withParts("docs/configuration.md", {
      "fields of a server": toServerTable(facts),
      settings: toSettingTables(facts),
    }),
    "docs/library.md": withParts("docs/library.md", { methods: toMethodTables(folder) }),
    "docs/cli.md": withParts("docs/cli.md", { commands: toCommandDocument(facts) }),
  };
};

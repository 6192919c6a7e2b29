// `npm run docs`: generates the reference of settings and commands and the configuration's JSON Schema from the source.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeGeneratedFiles } from "./generated-files.mjs";
import { checkout, prepare } from "./prepare.mjs";

await prepare();
const load = (path) => import(pathToFileURL(join(checkout, "dist", path)).href);
const [settings, meanings, { limitTable }, table, command] = await Promise.all([
  load("config/settings-schema.js"),
  load("config/meanings.js"),
  load("contracts/limits.js"),
  load("surfaces/cli/command-table.js"),
  load("surfaces/cli/command.js"),
]);

const files = makeGeneratedFiles(checkout, {
  ...meanings,
  limitTable,
  settingsSchema: settings.settingsSchema,
  serverEntrySchema: settings.serverEntrySchema,
  settings: settings.listSettings(),
  groups: await table.loadGroups(),
  sharedOptions: command.sharedOptions,
  exitCodes: command.exitCodeHelp,
});
for (const [path, content] of Object.entries(files)) {
  const file = join(checkout, path);
  if (existsSync(file) && readFileSync(file, "utf8") === content) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}

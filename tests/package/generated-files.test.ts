// The generated reference tables and the JSON Schema match the source.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it, test } from "vitest";
import { entryMeanings, settingMeanings } from "../../src/config/meanings.js";
import { listSettings, serverEntrySchema, settingsSchema } from "../../src/config/settings-schema.js";
import { limitTable } from "../../src/contracts/index.js";
import { exitCodeHelp, sharedOptions } from "../../src/surfaces/cli/command.js";
import { loadGroups } from "../../src/surfaces/cli/command-table.js";
import { openProject } from "../unit/config/open-project.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { makeGeneratedFiles } = (await import(
  new URL("../../scripts/generated-files.mjs", import.meta.url).href
)) as { readonly makeGeneratedFiles: (folder: string, facts: object) => Record<string, string> };

const files = makeGeneratedFiles(root, {
  settingsSchema,
  serverEntrySchema,
  settingMeanings,
  entryMeanings,
  limitTable,
  settings: listSettings(),
  groups: await loadGroups(),
  sharedOptions,
  exitCodes: exitCodeHelp,
});

test.each(Object.keys(files))('%s is what "npm run docs" writes', (path) => {
  const written = readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
  expect(written, 'run "npm run docs" and commit what it writes').toBe(files[path]);
});

test("every setting has its own variable and a meaning", () => {
  const variables = listSettings().map(({ variable }) => variable);
  expect(variables.length).toBe(new Set(variables).size);
  const table = files["docs/configuration.md"] ?? "";
  for (const { path, variable } of listSettings())
    expect(table).toMatch(
      new RegExp(`^\\| \`${path.at(-1)}\` \\|[^|]+\\|[^|]+\\| \`${variable}\` \\| \\S`, "m"),
    );
});

describe("schema/mcp-coordinator.schema.json", () => {
  const schema = JSON.parse(files["schema/mcp-coordinator.schema.json"] ?? "") as object;
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("mcp.json"),
  );

  it.each(examples)("accepts examples/%s", (path) => {
    expect(validate(JSON.parse(readFileSync(join(root, "examples", path), "utf8"))), path).toBe(true);
  });

  it("accepts the examples of docs/configuration.md", () => {
    const blocks = [...(files["docs/configuration.md"] ?? "").matchAll(/^```json\n(.*?)^```/gms)];
    expect(blocks.length).toBeGreaterThan(3);
    for (const [, text = ""] of blocks) expect(validate(JSON.parse(text)), text).toBe(true);
  });

  it.each([
    { coordinator: { limits: { timeoutMs: 0 } } },
    { coordinator: { limits: { timeoutMs: 3_600_001 } } },
    { coordinator: { limits: { timeoutms: 5 } } },
    { coordinator: { executor: "vm" } },
    { coordinator: { jitless: "yes" } },
    { coordinator: { profiles: { quick: { limit: {} } } } },
    { coordinator: { http: { sessions: 1.5 } } },
    { mcpServers: [] },
  ])("refuses %j, as we do when we read it", async (document) => {
    expect(validate(document)).toBe(false);
    const { load } = openProject({ "project/mcp.json": document });
    await expect(load({ config: "mcp.json" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it.each([
    { $schema: "./schema.json", mcpServers: { files: { command: "files", autoApprove: ["*"] } } },
    {
      $schema: "./schema.json",
      servers: { files: { type: "Streamable_HTTP", url: "http://127.0.0.1:9/mcp" } },
    },
    { $schema: "./schema.json", coordinator: { limits: { calls: 1 } } },
    { $schema: "./schema.json", coordinator: { addServers: { from: { one: { command: "one" } } } } },
  ])("accepts %j, as we do when we read it", async (document) => {
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    const { load } = openProject({ "project/mcp.json": document });
    const { servers, warnings } = await load();
    expect(servers.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(warnings.filter((warning) => warning.includes("is ignored: it has none"))).toEqual([]);
  });
});

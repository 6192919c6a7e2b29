// Skills over MCP, with a real client: the protocol's own extension, resources, the search for tools, and a program that saves one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { type OpenServe, openServe, transports } from "../../support/transports.js";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-skills-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const document = () => ({
  mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } },
  coordinator: { skillsFolder: join(folder, "skills"), cacheFolder: join(folder, "cache") },
});

const connect = async (
  open: OpenServe,
  options: ConstructorParameters<typeof Client>[1],
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(open.toTransport());
  return client;
};

const textOf = (answer: unknown): string =>
  (answer as { content: { text: string }[] }).content.map(({ text }) => text).join("\n");

describe.each(
  transports.flatMap((transport) => [
    [`auto-${transport}`, { versionNegotiation: { mode: "auto" as const } }, transport] as const,
    [`legacy-${transport}`, {}, transport] as const,
  ]),
)("skills with the official client, %s", (name, options, transport) => {
  it("are saved by a program, listed with digests, read, searched and imported", async () => {
    const stateFolder = join(folder, `state-${name}`);
    const config = join(folder, `${name}.json`);
    writeFileSync(
      config,
      JSON.stringify({ ...document(), coordinator: { ...document().coordinator, stateFolder } }),
    );
    const open = await openServe(transport, { config });
    const client = await connect(open, options);
    try {
      const save = `await skills.save({ name: "twice ${name}", description: "Doubles a number ${name}", code: 'import { add } from "servers/echo"; export const twice = async (value: number) => (await add({ a: value, b: value })).sum;' });`;
      const saved = await client.callTool({ name: "run_code", arguments: { code: save } });
      expect(saved.isError, textOf(saved)).not.toBe(true);

      const extension = new SkillsClient(client);
      expect(extension.supported).toBe(true);
      const { skills } = await extension.list();
      const skill = skills.find(({ uri }) => uri === `skill://twice-${name}/SKILL.md`);
      if (skill === undefined) throw new Error(JSON.stringify(skills));
      expect(skill.frontmatter).toMatchObject({
        name: `twice-${name}`,
        description: `Doubles a number ${name}`,
      });
      // The client verifies size, digest and front matter of what it reads.
      const document = await extension.read(skill);
      expect(document).toMatchObject({ verified: true });
      const script = await extension.read(skill, "scripts/main.ts");
      expect(script.text).toContain("export const twice");
      expect((await extension.get(skill.uri)).skill.uri).toBe(skill.uri);
      await expect(extension.get("skill://nothing/SKILL.md")).rejects.toThrow("SKILL_UNKNOWN");

      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain(skill.uri);
      await expect(client.readResource({ uri: `skill://twice-${name}/../../mcp.json` })).rejects.toThrow();
      await expect(client.readResource({ uri: `skill://twice-${name}/none.md` })).rejects.toThrow(
        "no such file",
      );

      const found = await client.callTool({
        name: "search_tools",
        arguments: { query: `doubles a number ${name}`, limit: 1 },
      });
      expect(textOf(found)).toContain(
        `// [saved skill in TypeScript] Doubles a number ${name}\nimport { twice } from "skills/twice-${name}";\ntwice(value: number)\nawait twice(1)`,
      );
      const code = `import { twice } from "skills/twice-${name}"; return await twice(21);`;
      expect(textOf(await client.callTool({ name: "run_code", arguments: { code } }))).toBe("42");
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(["run_code", "search_tools"]);
    } finally {
      await client.close();
      await open.close();
    }
  });
});

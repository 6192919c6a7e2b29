// The MCPB bundle: packed and validated by its own tool, unpacked, and started as its manifest says.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { openOtherProgram } from "./support/other-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { packBundle } = (await import(new URL("../../scripts/pack-bundle.mjs", import.meta.url).href)) as {
  readonly packBundle: (options: { readonly folder: string; readonly out: string }) => Promise<string>;
};
const mcpb = await openOtherProgram({
  package: "@anthropic-ai/mcpb@2.1.2",
  file: "dist/cli/cli.js",
  node: 20,
});

interface Manifest {
  readonly version: string;
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: { readonly args: readonly string[] };
  };
  readonly tools: readonly { readonly name: string }[];
}

describe.skipIf(mcpb.problem !== undefined)(`the bundle ${mcpb.problem ?? ""}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coordinator-bundle-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("unpacks, starts with its own command and lists the tools that its manifest names", {
    timeout: 240_000,
  }, async () => {
    const bundle = await packBundle({ folder: root, out: join(folder, "out") });
    const unpacked = join(folder, "unpacked");
    const { code, stdout, stderr } = await mcpb.run(["unpack", bundle, unpacked], {
      env: { HOME: folder },
      folder,
    });
    expect(code, stdout + stderr).toBe(0);

    const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")) as Manifest;
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(manifest.version).toBe(version);
    expect(existsSync(join(unpacked, manifest.server.entry_point))).toBe(true);
    const config = join(folder, "servers.json");
    const echo = { command: process.execPath, args: [fixturePath("echo")] };
    writeFileSync(config, JSON.stringify({ mcpServers: { echo } }));
    const args = manifest.server.mcp_config.args.map((word) =>
      word.replace("${__dirname}", unpacked).replace("${user_config.config}", config),
    );
    const client = new Client({ name: "test", version: "1" });
    const env = { PATH: process.env.PATH ?? "", HOME: folder };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name));
      const program = 'import { add } from "servers/echo"; return await add({ a: 2, b: 40 });';
      const answer = await client.callTool({ name: "run_code", arguments: { code: program } });
      expect(answer.content).toEqual([{ type: "text", text: '{"sum":42}' }]);
      // Only types show that a number has no such method.
      const wrong = 'import { add } from "servers/echo"; return (await add({ a: 2, b: 40 })).sum.toUpper();';
      const refused = await client.callTool({ name: "run_code", arguments: { code: wrong } });
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain("PROGRAM_INVALID");
    } finally {
      await client.close();
    }
  });
});

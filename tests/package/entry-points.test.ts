// The package's entry points as a program uses them: built, imported by the package's name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
};

const frameworks = { "ai-sdk": "ai", langchain: "@langchain/core", "openai-agents": "@openai/agents" };

test("every entry point has its module and its types", () => {
  const paths = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : [entry.types, entry.default],
  );
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(Object.keys(manifest.exports)).toEqual(
    expect.arrayContaining(Object.keys(frameworks).map((name) => `./${name}`)),
  );
});

test("a framework is imported only by its own entry point, and none has to be installed", () => {
  const bundle = join(root, "dist", "bundle");
  for (const [entry, framework] of Object.entries(frameworks)) {
    const importing = readdirSync(bundle).filter((file) =>
      new RegExp(`from "${framework}[/"]`).test(readFileSync(join(bundle, file), "utf8")),
    );
    expect(importing).toEqual([`${entry}.js`]);
    expect(Object.keys(manifest.peerDependencies)).toContain(framework);
    expect(manifest.peerDependenciesMeta[framework]).toEqual({ optional: true });
  }
});

test("tools of a program that embeds the package run through each framework's entry point", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-entry-"));
  const program = `
    import { CoordinatorError, defineTool, openCoordinator } from "mcp-coordinator";
    import { createTools as forAiSdk } from "mcp-coordinator/ai-sdk";
    import { createTools as forLangchain } from "mcp-coordinator/langchain";
    import { createTools as forOpenAi } from "mcp-coordinator/openai-agents";
    const options = { config: { mcpServers: {} }, settings: { cacheFolder: process.argv[1], stateFolder: process.argv[1] } };
    const coordinator = await openCoordinator({ ...options, tools: { own: { answer: defineTool({ run: () => 42 }) } } });
    const code = "return await own.answer()";
    const refused = await openCoordinator({ ...options, tools: { own: { odd: {} } } }).catch((error) => error);
    const { run_code } = await forAiSdk(coordinator);
    const [lang] = await forLangchain(coordinator);
    const [open] = await forOpenAi(coordinator);
    console.log(JSON.stringify([
      (await run_code.execute({ code }, { toolCallId: "1", messages: [] })).content,
      await lang.invoke({ code }),
      await open.invoke(undefined, JSON.stringify({ code })),
      refused instanceof CoordinatorError && refused.code,
    ]));
    await coordinator.close();
  `;
  try {
    const words = ["--input-type=module", "-e", program, folder];
    const output = execFileSync(process.execPath, words, { cwd: root, encoding: "utf8", timeout: 60_000 });
    expect(JSON.parse(output)).toEqual([[{ type: "text", text: "42" }], "42", "42", "TOOLS_INVALID"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// Every example runs against real servers and checks its own result.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../examples", import.meta.url));
const foldersIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name).replaceAll("\\", "/"));
/** Folders that the examples share. */
const shared = ["configs", "servers", "support"];
const stories = [...foldersIn("").filter((name) => !shared.includes(name)), ...foldersIn("configs")];

const run = (story: string): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, story, "run.mjs")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const hear = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });

describe("examples", () => {
  // An example that fetches a package for the first time waits for the registry.
  it.for(stories)("%s checks its own result", { timeout: 200_000 }, async (story, { skip }) => {
    const { code, output } = await run(story);
    expect(code, output).toBe(0);
    const reason = /^skipped: (.*)$/m.exec(output)?.[1];
    skip(reason !== undefined, reason);
  });

  it.each(stories)("%s has a README, a configuration, a program and a check", (story) => {
    const files = readdirSync(join(root, story));
    expect(files).toEqual(expect.arrayContaining(["README.md", "mcp.json", "run.mjs"]));
    expect(files.filter((file) => /\.(ts|py)$/.test(file))).not.toEqual([]);
    const readme = readFileSync(join(root, story, "README.md"), "utf8");
    expect(readme).toContain(`npm run examples -- ${story}`);
    const named = [...readme.matchAll(/^- \[([^\]]+)\]/gm)].map(([, file]) => file ?? "");
    expect(named.filter((file) => !existsSync(join(root, story, file)))).toEqual([]);
    expect(files.filter((file) => file !== "README.md" && !named.includes(file))).toEqual([]);
  });

  it("are all listed", () => {
    const list = readFileSync(join(root, "README.md"), "utf8");
    expect(stories.filter((story) => !list.includes(`(${story})`))).toEqual([]);
  });
});

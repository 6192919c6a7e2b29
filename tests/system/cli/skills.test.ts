// The command `skills`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
  writeFileSync(
    join(line.folder, "program.ts"),
    'import { echo } from "servers/echo";\nconst said = await echo({ text: "octo/app" });\nreturn said.length;\n',
  );
  writeFileSync(
    join(line.folder, "module.py"),
    'def shout(text: str) -> str:\n    """Makes it loud."""\n    return text.upper()\n',
  );
});
afterAll(() => line.close());

test("a program is saved with a parameter, listed, shown, run, tested and deleted", async () => {
  expect(await line.run(["skills"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("No skill is saved"),
  });
  const saved = await line.run([
    "skills",
    "save",
    "Say Length",
    "program.ts",
    "--description",
    "Its length",
    "--parameter",
    "text=octo/app",
    "--tag",
    "talk",
  ]);
  expect(saved.stderr).toBe("");
  expect(saved.stdout).toBe(
    'Saved "say-length", version 1\n  import { sayLength } from "skills/say-length";\n  await sayLength({ text: "Hello" })\n',
  );
  expect((await line.run(["skills", "list", "--tag", "talk"])).stdout).toMatch(
    /^SKILL .*\nsay-length {2}v1 {2}typescript {2}ready {2}0 {5}Its length\n$/,
  );
  expect((await line.run(["skills", "run", "say-length", "text=hello"])).stdout).toBe("5\n");
  const shown = JSON.parse((await line.run(["skills", "show", "say-length", "--json"])).stdout);
  expect(shown).toMatchObject({ path: "say-length", uses: 1, state: "ready", tags: ["talk"] });
  expect(await line.run(["skills", "test", "say-length"])).toMatchObject({
    code: 0,
    stdout: "passed say-length against simulated servers\n",
  });
  await line.run(["skills", "test", "say-length", "--record", "text=hi"]);
  expect((await line.run(["skills", "test", "say-length"])).stdout).toBe(
    "passed say-length against its recorded run\n",
  );
  expect((await line.run(["skills", "search", "length"])).stdout).toContain("say-length");
  expect(await line.run(["skills", "delete", "say-length"])).toMatchObject({
    code: 0,
    stdout: 'Deleted "say-length"\n',
  });
  expect(await line.run(["skills", "delete", "say-length"])).toMatchObject({ code: 1 });
});

test("a Python file is saved and run", async () => {
  const saved = await line.run(["skills", "save", "shout", "module.py"]);
  expect(saved.stdout).toContain("from skills.shout import shout");
  expect((await line.run(["skills", "run", "shout", "text=42"])).stdout).toBe("42\n");
});

test("a skill that was edited outside is marked until a person has accepted it", async () => {
  const state = join(line.folder, "state");
  const place = ["--state-folder", state];
  await line.run(["skills", "save", "murmur", "module.py", ...place]);
  writeFileSync(join(state, "skills", "murmur", "scripts", "main.py"), "def murmur():\n    return 1\n");
  expect((await line.run(["skills", ...place])).stdout).toContain("edited outside");
  const asked = await line.run(["skills", "accept", "murmur", ...place]);
  expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining("return 1") });
  expect(asked.stderr).toContain("run it again with --yes");
  expect((await line.run(["skills", "accept", "murmur", "--yes", ...place])).stdout).toContain("Accepted");
  expect((await line.run(["skills", ...place])).stdout).not.toContain("edited");
});

test.each([
  [["skills", "frob"], 2, 'error Cannot run "skills frob": expected list, search, show'],
  [["skills", "run"], 2, "error Cannot run a skill: its name is missing, expected NAME"],
  [["skills", "run", "nothing"], 1, 'error Cannot find the skill "nothing": no skill of that name is saved'],
  [["skills", "save", "x", "program.ts"], 2, "it has no description"],
  [["skills", "search"], 2, "error Cannot search skills: there is no query"],
])("%j ends with a message and a code", async (words, code, message) => {
  const ended = await line.run(words);
  expect(ended.stderr).toContain(message);
  expect(ended.code).toBe(code);
});

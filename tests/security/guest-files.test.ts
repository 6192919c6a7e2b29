// No path, link or encoding that guest code can write leads out of its workspace, in either language, and errors reveal nothing about the host.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { expectNotBlocked } from "../support/watch-host.js";

const secret = "planted-93b1aa";
let fixture: OpenFixture;
let hasPython = true;

/** Everything in the state folder but the attacker's own workspace, and the folder above it, with its content. */
const picture = async (folder: string, at = ""): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (/workspaces\/mallory|cache|locks|removed/.test(path)) continue;
    if (entry.isDirectory()) found.push(path, ...(await picture(folder, path)));
    else if (entry.isFile() && entry.name !== "workspace.json")
      found.push(`${path}: ${await readFile(join(folder, path), "utf8")}`);
  }
  return found;
};

beforeAll(async () => {
  fixture = await openFixture();
  const { folder, run } = fixture;
  await writeFile(join(folder, "outside.txt"), secret);
  await run(
    `await workspace.writeText("private.txt", "${secret}"); await memory.save("k", "${secret}"); await saveState("${secret}");`,
    {
      workspace: "victim",
    },
  );
  await run('await workspace.writeText("own/a.txt", "mine")', { workspace: "mallory" });
  const own = join(folder, "state", "workspaces", "mallory", "files");
  await mkdir(join(own, "links"), { recursive: true });
  await symlink(join(folder, "outside.txt"), join(own, "links", "file"));
  await symlink(folder, join(own, "links", "folder"));
  await symlink("../../../victim/files", join(own, "links", "victim"));
  // Its record is written later, next to the attacker's, and is not compared.
  hasPython =
    (await run("1", { language: "python", workspace: "mallory" })).error?.code !== "LANGUAGE_UNAVAILABLE";
});
afterAll(() => fixture.close());

const ups = ["..", "../..", "../../..", "../../../..", "../../../../.."];
const spellings: readonly ((path: string) => string)[] = [
  (path) => `workspace/${path}`,
  (path) => `./workspace/own/../${path}`,
  (path) => path.replaceAll("/", "\\"),
  (path) => path.replaceAll("..", "%2e%2e"),
  (path) => path.replaceAll("..", "\uff0e\uff0e"),
  (path) => path.replaceAll("/", "\u2215"),
  (path) => path.replaceAll("..", ".\u200b."),
  (path) => path.replaceAll("..", ".. "),
  (path) => `${path}\u0000.txt`,
  (path) => `file://${path}`,
];
const targets = [
  "outside.txt",
  "victim/files/private.txt",
  "victim/memory/k.json",
  "workspaces/victim/files/private.txt",
];
/** Every way up to every target, and each in every other spelling with the targets in turn. */
const hostile = (): readonly string[] => [
  ...ups.flatMap((up, row) => [
    ...targets.map((target) => `${up}/${target}`),
    ...spellings.map((spell, column) => spell(`${up}/${targets[(row + column) % targets.length]}`)),
  ]),
  ...targets.map((target) => join(fixture.folder, target)),
  join(fixture.folder, "state", "workspaces", "victim", "files", "private.txt"),
  ...["links/file", "links/folder/outside.txt", "links/victim/private.txt", "links", "links/folder"],
  ...[
    "/etc/passwd",
    "/proc/self/environ",
    "~/x",
    "C:\\x",
    "\\\\host\\share",
    "con",
    "nul.txt",
    "a:stream",
    "",
    ".",
    "/",
  ],
  ...[
    "/workspace/../etc/passwd",
    "/workspace/workspace/../../x",
    "workspace/workspace/../../x",
    "//workspace/../x",
  ],
];

const attack = {
  typescript: (paths: readonly string[]) => `
    import fs from "fs/promises";
    const seen = [];
    const meet = async (work) => { try { seen.push(await work()); } catch (error) { seen.push([error.name, error.code, error.message, error.stack]); } };
    for (const path of ${JSON.stringify(paths)}) {
      await meet(() => fs.readFile(path, "utf8")); await meet(() => fs.stat(path)); await meet(() => fs.readdir(path, { recursive: true }));
      await meet(() => fs.copyFile(path, "stolen.txt")); await meet(() => fs.copyFile("own/a.txt", path)); await meet(() => fs.rename("own/a.txt", path));
      await meet(() => fs.rename(path, "stolen2.txt")); await meet(() => fs.writeFile(path, "overwritten")); await meet(() => fs.appendFile(path, "appended"));
      await meet(() => fs.mkdir(path + "/made", { recursive: true })); await meet(() => workspace.delete(path));
      await meet(() => memory.load(path)); await meet(() => memory.save(path, "overwritten")); await meet(() => getState(path)); await meet(() => saveState(1, path));
      await meet(() => servers["\\u0000workspace"].fs.readFile(path)); await meet(() => callTool("\\u0000workspace", "stat", path));
    }
    return JSON.stringify(seen);`,
  python: (paths: readonly string[]) =>
    [
      "import os, json, shutil, traceback",
      "from pathlib import Path",
      "seen = []",
      "def meet(work):",
      "    try:",
      "        seen.append(repr(work()))",
      "    except Exception as error:",
      "        seen.append([str(error), traceback.format_exc()])",
      "def write(path, mode):",
      "    with open(path, mode) as file: file.write('overwritten')",
      `for path in json.loads(${JSON.stringify(JSON.stringify(paths))}):`,
      // Files outside the workspace are the sandbox's own, never the host's: the walls have their own tests.
      "    if os.path.isabs(path) and not path.startswith('/workspace'): continue",
      "    meet(lambda: open(path).read()); meet(lambda: os.stat(path)); meet(lambda: os.listdir(path)); meet(lambda: Path(path).read_text())",
      "    meet(lambda: shutil.copyfile(path, 'stolen.txt')); meet(lambda: shutil.copyfile('own/a.txt', path)); meet(lambda: os.rename('own/a.txt', path))",
      "    meet(lambda: os.rename(path, 'stolen2.txt')); meet(lambda: write(path, 'w')); meet(lambda: write(path, 'a')); meet(lambda: write(path, 'r+'))",
      "    meet(lambda: os.makedirs(path + '/made', exist_ok=True)); meet(lambda: workspace.delete(path)); meet(lambda: workspace.read_text(path))",
      "    meet(lambda: memory.load(path)); meet(lambda: memory.save(path, 'overwritten')); meet(lambda: get_state(path)); meet(lambda: save_state(1, path))",
      "json.dumps(seen)",
    ].join("\n"),
} as const;

describe.each(["typescript", "python"] as const)(
  "a %s program that tries to leave its workspace",
  (language) => {
    // Thousands of round trips: each is slow on a busy machine.
    it("reads, changes and learns nothing outside, whatever path it uses", {
      timeout: 900_000,
    }, async ({ skip }) => {
      skip(language === "python" && !hasPython, "there is no Python here");
      const before = await picture(fixture.folder);
      expect(before.join()).toContain(secret);

      const result = await fixture.run(attack[language](hostile()), {
        language,
        workspace: "mallory",
        isChecked: false,
        limits: { timeoutMs: 1_000_000, calls: 100_000, outputBytes: 32 * 1024 * 1024 },
      });

      await expectNotBlocked();
      expect(result.error).toBeUndefined();
      // What the program wrote itself is no secret.
      const written = hostile().filter((path) => path.startsWith(fixture.folder));
      const seen = written.reduce((text, path) => text.replaceAll(path, ""), String(result.value));
      expect(seen.length).toBeGreaterThan(10_000);
      expect(seen).not.toContain(secret);
      expect(seen).not.toContain(join(fixture.folder, "state"));
      expect(seen).not.toMatch(/INTERNAL|STORE_FAILED/);
      expect(await picture(fixture.folder)).toEqual(before);
    });
  },
);

describe("a program in one workspace", () => {
  it("cannot refer to another workspace", async () => {
    const { value } = await fixture.run(
      'const seen = []; for (const name of Object.keys(globalThis)) seen.push(name); try { await callTool("\\u0000workspace", "openWorkspace", ["victim"]); } catch (error) { seen.push(error.code); } return seen;',
      { workspace: "mallory", isChecked: false },
    );
    expect(value).toContain("TOOL_UNKNOWN");
  });

  it("leaves no file anywhere if it is refused", async () => {
    const { error } = await fixture.run("return 1", { workspace: "../victim" });
    expect(error?.code).toBe("NAME_INVALID");
    expect(existsSync(join(fixture.folder, "state", "victim"))).toBe(false);
  });

  it("cannot exhaust its host with unfinished files", async () => {
    const result = await fixture.run(
      'const begin = () => callTool("\\u0000workspace", "startWrite", "x"); for (let n = 0; n < 4; n++) await callTool("\\u0000workspace", "startWrite", "x"); await begin();',
      { workspace: "mallory", isChecked: false, limits: { timeoutMs: 500 } },
    );
    expect(result.status).not.toBe("completed");
    expect(
      (
        await fixture.run('await workspace.writeText("after.txt", "x".repeat(2_000_000)); return 1', {
          workspace: "mallory",
        })
      ).value,
    ).toBe(1);
    const drafts = join(fixture.folder, "state", "workspaces", "mallory", "drafts");
    await expect.poll(() => readdir(drafts)).toEqual([]);
  });
});

it("listing and removing a folder of 9,900 files does not block the host", async () => {
  const { folder, run } = fixture;
  await run('await workspace.writeText("many/first.txt", "1")', { workspace: "hoarder" });
  const many = join(folder, "state", "workspaces", "hoarder", "files", "many");
  for (let at = 0; at < 99; at++)
    await Promise.all(
      Array.from({ length: 100 }, (_, file) => writeFile(join(many, `${at}-${file}.txt`), "x")),
    );
  const code = `import fs from "fs/promises";
    const before = (await fs.readdir("many")).length;
    await fs.rm("many", { recursive: true });
    return [before, (await fs.readdir(".")).length]`;
  expect((await run(code, { workspace: "hoarder", limits: { timeoutMs: 120_000 } })).value).toEqual([
    9901, 0,
  ]);
}, 240_000);

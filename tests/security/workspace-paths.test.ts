// No path, link, pipe or hard link leads out of a workspace, even while someone replaces folders with links.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { CoordinatorError, defaultLimits, type WorkspaceFiles } from "../../src/contracts/index.js";
import { openWorkspaceFiles } from "../../src/store/files/workspace/workspace-files.js";
import { toWorkspacePath } from "../../src/store/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const secret = "the secret outside";

/** Lists everything under a folder without following links. A recursive `readdir` of Node follows them. */
const listUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...listUnder(path)] : [path];
  });

/** A workspace inside a folder with a secret beside it at every level, and a snapshot of everything outside. */
const openFiles = async (isByPath: boolean) => {
  const top = await temporaryFolder();
  const root = join(top, "state");
  const folder = join(root, "workspaces", "ada", "files");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(top, "outside"));
  for (const place of [
    top,
    root,
    join(root, "workspaces"),
    join(root, "workspaces", "ada"),
    join(top, "outside"),
  ])
    writeFileSync(join(place, "secret.txt"), secret);
  const files = openWorkspaceFiles({ root, names: ["workspaces", "ada"], limits: defaultLimits, isByPath });
  const own = /^state\/workspaces\/ada\/(files|drafts|locks|usage\.json)/;
  const picture = (): readonly string[] =>
    listUnder(top)
      .map((path) => relative(top, path))
      .filter((path) => !own.test(path))
      .sort()
      .map((path) => {
        const facts = statSync(join(top, path));
        return facts.isFile() ? `${path}: ${readFileSync(join(top, path), "utf8")}` : path;
      });
  return { top, folder, files, outside: join(top, "outside"), picture };
};

/** Applies every operation to a path; returns the results, failures as their codes. */
const doEverything = async (files: WorkspaceFiles, path: string): Promise<readonly string[]> => {
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => files.readFile(path).then((bytes) => Buffer.from(bytes).toString("utf8")),
    () => files.stat(path).then(() => "stat"),
    () => files.readdir(path).then((entries) => JSON.stringify(entries)),
    () => files.copyFile(path, "copy.txt"),
    () => files.readFile("copy.txt").then((bytes) => Buffer.from(bytes).toString("utf8")),
    () => files.appendFile(path, "appended"),
    () => files.writeFile(path, "written"),
    () => files.copyFile("copy.txt", path),
    () => files.mkdir(path, { recursive: true }),
    () => files.rename("copy.txt", path),
    () => files.rename(path, "moved.txt"),
    () => files.rm(path, { recursive: true, force: true }),
    () => files.rm("moved.txt", { recursive: true, force: true }),
  ];
  const found: string[] = [];
  for (const deed of deeds) {
    try {
      found.push(String(await deed()));
    } catch (error) {
      if (!(error instanceof CoordinatorError)) throw error;
      if (error.code === "STORE_FAILED") throw error;
      found.push(`${error.code} ${error.message}`);
    }
  }
  return found;
};

/** The same numbers every time. */
const openRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
};

const pieces = [
  "..",
  ".",
  "",
  "/",
  "//",
  "\\",
  "a",
  "b.txt",
  "secret.txt",
  "state",
  "outside",
  "workspaces",
  "files",
  "ada",
  "bob",
  "\0",
  "\n",
  "\u202e",
  "．．",
  "‥",
  "．",
  "／",
  "＼",
  "⁄",
  "∕",
  "%2e%2e",
  "%2f",
  "..%00",
  "..;",
  "...",
  ".. ",
  ". .",
  "..\u200b",
  ".\u200d.",
  ".\u00ad.",
  ".\ufe0f.",
  "~",
  "~root",
  "$HOME",
  "C:",
  "c:\\",
  "\\\\?\\",
  "\\\\.\\",
  "//server/share",
  "CON",
  "nul",
  "aux.txt",
  "COM1",
  "lpt¹",
  "file:",
  "a::$DATA",
  "a:b",
  " ",
  "a ",
  "a.",
  "é",
  "e\u0301",
  "ﬃ",
  "ß",
  "İ",
  "\ud800",
  "\udc00",
  "x".repeat(300),
  "proc",
  "self",
  "fd",
  "root",
  "etc",
  "passwd",
  "..\r",
  "../",
  "/..",
  "./..",
  "....//",
] as const;

describe.each([
  ["through open folders", false],
  ["by paths, as outside Linux", true],
] as const)("a workspace that is opened %s", (_, isByPath) => {
  it("contains all of 600 generated paths, and nothing outside is read or changed", async () => {
    const { files, picture } = await openFiles(isByPath);
    const before = picture();
    const random = openRandom(7);
    for (let round = 0; round < 600; round++) {
      await nextTurn();
      const count = 1 + random(5);
      const separators = ["/", "/", "\\", "", "／"];
      let path = "";
      for (let at = 0; at < count; at++)
        path += `${at === 0 ? "" : (separators[random(separators.length)] ?? "")}${pieces[random(pieces.length)] ?? ""}`;
      const found = await doEverything(files, path);
      expect([path, found.filter((text) => text.includes(secret))]).toEqual([path, []]);
    }
    expect(picture()).toEqual(before);
  });

  it.each([
    "../secret.txt",
    "a/../../secret.txt",
    "./../secret.txt",
    "..",
    "a/..",
    "/etc/passwd",
    "//etc/passwd",
    "..\\secret.txt",
    "a\\..\\..\\secret.txt",
    "C:\\secret.txt",
    "c:secret.txt",
    "~/secret.txt",
    "a\0/../../secret.txt",
    "．．/secret.txt",
    "‥/secret.txt",
    "..／secret.txt",
    "a／..／..／secret.txt",
    ".\u200d./secret.txt",
    ".\u00ad./secret.txt",
    "..\u200b/secret.txt",
    "... /x",
    "…",
    "../",
    "con",
    "NUL.txt",
    "a/com1.log",
    "lpt¹",
    "a.",
    "a /b",
    "a:stream",
    "x".repeat(256),
    `${"a/".repeat(40)}b`,
    "a\u202etxt.exe",
    "\ud800",
    "a|b",
  ])("refuses %j", async (path) => {
    const { files } = await openFiles(isByPath);
    for (const found of (await doEverything(files, path)).filter((text) => !text.includes("copy.txt")))
      expect(found).toMatch(/^(PATH_DENIED|undefined$)/);
    expect(await files.readdir("", { recursive: true })).toEqual([]);
  });

  it.each([
    "report.txt",
    "a/b/c.csv",
    ".hidden",
    "ada's file (1).txt",
    "日本語.txt",
    "👨‍👩‍👧.png",
    "a%20b",
    "-rf",
    "%2e%2e",
    "..a",
    "con.d/x".replace("con", "cons"),
  ])("accepts %j as a plain name", async (path) => {
    const { files } = await openFiles(isByPath);
    await files.writeFile(path, "1");
    expect(Buffer.from(await files.readFile(path)).toString()).toBe("1");
  });

  it.skipIf(process.platform === "win32")(
    "does not follow links, open pipes or share files that someone placed there (needs a Unix system)",
    async () => {
      const { folder, files, outside, picture } = await openFiles(isByPath);
      symlinkSync(join(outside, "secret.txt"), join(folder, "link.txt"));
      symlinkSync(outside, join(folder, "linked"));
      symlinkSync("..", join(folder, "up"));
      symlinkSync("link.txt", join(folder, "chain"));
      symlinkSync("/nowhere", join(folder, "dangling"));
      linkSync(join(outside, "secret.txt"), join(folder, "hard.txt"));
      execFileSync("mkfifo", [join(folder, "pipe")]);
      const before = picture();
      for (const path of [
        "link.txt",
        "linked",
        "linked/secret.txt",
        "up",
        "up/secret.txt",
        "up/up/secret.txt",
        "chain",
        "dangling",
        "dangling/x",
        "pipe",
      ]) {
        await nextTurn();
        const found = await doEverything(files, path);
        expect([path, found.filter((text) => text.includes(secret) || text.startsWith("["))]).toEqual([
          path,
          [],
        ]);
      }
      for (const deed of [
        files.readFile("hard.txt"),
        files.appendFile("hard.txt", "x"),
        files.copyFile("hard.txt", "copy"),
      ])
        await expect(deed).rejects.toMatchObject({ code: "PATH_DENIED" });
      // Written whole, it becomes a separate file; the other name keeps its content.
      await files.writeFile("hard.txt", "mine");
      expect(picture()).toEqual(before);
      expect((await files.readdir("", { recursive: true })).map(({ path }) => path)).toEqual(["hard.txt"]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "removes a folder with links, but not their targets (needs a Unix system)",
    async () => {
      const { folder, files, outside, picture } = await openFiles(isByPath);
      await files.mkdir("a/b", { recursive: true });
      symlinkSync(outside, join(folder, "a", "b", "linked"));
      symlinkSync(join(outside, "secret.txt"), join(folder, "a", "link.txt"));
      const before = picture();
      await files.rm("a", { recursive: true });
      expect(picture()).toEqual(before);
      expect(await files.usage()).toEqual({ bytes: 0, files: 0 });
    },
  );
});

describe("a workspace whose folders are links", () => {
  it.skipIf(process.platform === "win32").each(["workspaces", "workspaces/ada", "workspaces/ada/files"])(
    "is not entered through %s (needs a Unix system)",
    async (place) => {
      const top = await temporaryFolder();
      const outside = join(top, "outside");
      mkdirSync(join(outside, "ada", "files"), { recursive: true });
      mkdirSync(join(outside, "files"), { recursive: true });
      const path = join(top, place);
      mkdirSync(join(path, ".."), { recursive: true });
      symlinkSync(outside, path);
      const files = openWorkspaceFiles({ root: top, names: ["workspaces", "ada"], limits: defaultLimits });
      await expect(files.readdir("")).rejects.toMatchObject({ code: "PATH_DENIED" });
      await expect(files.writeFile("a.txt", "x")).rejects.toMatchObject({ code: "PATH_DENIED" });
    },
  );
});

describe.runIf(process.platform === "linux")(
  "a workspace while folders are replaced by links (needs Linux)",
  () => {
    it("reads, writes and removes nothing outside in 900 attempts", async () => {
      const { folder, files, outside, picture } = await openFiles(false);
      mkdirSync(join(folder, "a"));
      const before = picture();
      const script = fileURLToPath(new URL("../fixtures/store/swaps-links.mjs", import.meta.url));
      const child = spawn(process.execPath, [script, folder, outside], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout, "data");
      let done = 0;
      let denied = 0;
      for (let round = 0; round < 900; round++) {
        await nextTurn();
        const path = round % 2 === 0 ? "a/file.txt" : "a/secret.txt";
        const deeds = [
          () =>
            files.readFile(path).then((bytes) => expect(Buffer.from(bytes).toString()).not.toContain(secret)),
          () => files.writeFile(path, "written"),
          () => files.appendFile(path, "appended"),
          () => files.rename(path, "a/moved.txt"),
          () => files.rm("a/secret.txt"),
          () => files.rm("a", { recursive: true }),
        ];
        await deeds[round % deeds.length]?.().then(
          () => done++,
          (error) => {
            if (!(error instanceof CoordinatorError)) throw error;
            denied++;
          },
        );
      }
      child.kill("SIGKILL");
      await once(child, "exit");
      // Both outcomes occurred, so there was a race.
      expect(done).toBeGreaterThan(20);
      expect(denied).toBeGreaterThan(20);
      expect(picture()).toEqual(before);
    });
  },
);

describe("toWorkspacePath()", () => {
  it.each([
    ["./workspace/leads.csv", "leads.csv"],
    ["workspace/a/./b.txt", "a/b.txt"],
    ["/workspace/x", "x"],
    ["./workspace", ""],
    ["././workspace//a", "a"],
    ["leads.csv", "leads.csv"],
    ["workspaces/x", "workspaces/x"],
    ["/workspace/workspace/x", "x"],
    ["", ""],
  ])("reads %j as %j", (path, wanted) => {
    expect(toWorkspacePath(path)).toBe(wanted);
  });

  it.each([
    "/etc/passwd",
    "./workspace/../x",
    "../workspace/x",
    "/workspaces/x",
    "./workspace/../../x",
    "workspace\\x",
  ])("refuses %j", (path) => {
    expect(() => toWorkspacePath(path)).toThrow(CoordinatorError);
  });
});

// The workspace functions of the bridge, called by a guest that follows no rule.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspaceHost } from "../../support/workspace-host.js";

const odd: readonly unknown[] = [
  null,
  1,
  -1,
  1.5,
  true,
  [],
  {},
  "",
  "\u0000",
  "a".repeat(5000),
  { path: "x" },
];
const functions = [
  ...[
    "read",
    "write",
    "startWrite",
    "addPart",
    "endWrite",
    "append",
    "mkdir",
    "readdir",
    "stat",
    "exists",
    "rm",
  ],
  ...[
    "rmdir",
    "rename",
    "copyFile",
    "memorySave",
    "memoryLoad",
    "memoryReplace",
    "memoryDelete",
    "memoryList",
  ],
  ...["memoryInfo", "getState", "saveState"],
];

describe("openWorkspaceFunctions()", () => {
  it("answers every function with a clear message for any arguments, never with an internal failure", async () => {
    const { ask } = await openWorkspaceHost();
    for (const name of functions) {
      for (const values of [[], ...odd.map((one) => [one]), ...odd.map((one) => ["x", one, one, one])]) {
        const message = await ask(name, ...values).then(
          // An unfinished file blocks the next one.
          (id) => (name === "startWrite" ? ask("endWrite", id).then(String, String) : ""),
          (error: Error & { code: string }) => `${error.code}: ${error.message}`,
        );
        expect(message).not.toMatch(/INTERNAL|undefined|TypeError|\/tmp/);
      }
    }
  });

  it("refuses an unknown function", async () => {
    const { ask } = await openWorkspaceHost();

    await expect(ask("constructor")).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
    await expect(ask("close")).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
  });

  it("reveals nothing about the host in a failure", async () => {
    const { ask, folder } = await openWorkspaceHost();
    for (const path of ["none", "../x", "/etc/passwd", "a/../../b"]) {
      const error = await ask("read", path, "utf8").catch((thrown: Error) => thrown);
      expect(String(error)).not.toContain(folder);
    }
  });

  it("opens the workspace only on the first call", async () => {
    const { folder, ask } = await openWorkspaceHost();

    expect(await readdir(folder)).toEqual([]);
    expect(await ask("exists", "x")).toBe(false);
    expect(await readdir(folder)).toContain("workspaces");
  });

  it("names a file written in parts only when it is complete, and discards what a run left unfinished", async () => {
    const { ask, close, folder } = await openWorkspaceHost();
    const id = await ask("startWrite", "parts.txt", false);
    await ask("addPart", id, "one ", "utf8");
    expect(await ask("exists", "parts.txt")).toBe(false);
    await ask("addPart", id, "\u00ff", "latin1");
    await ask("endWrite", id);
    expect(await ask("read", "parts.txt", "latin1")).toEqual(["one \u00ff", null, ""]);
    await expect(ask("endWrite", id)).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });

    const left = await ask("startWrite", "left.txt", false);
    await ask("addPart", left, "unfinished", "utf8");
    const drafts = join(folder, "workspaces", "ada", "drafts");
    expect(await readdir(drafts)).toHaveLength(1);
    close();
    await expect.poll(() => readdir(drafts)).toEqual([]);
    expect(await readdir(join(folder, "workspaces", "ada", "files"))).toEqual(["parts.txt"]);
  });

  it("limits unfinished files: the next one waits for its turn", async () => {
    const { ask, close } = await openWorkspaceHost();
    const begun = await Promise.all(["a", "b", "c", "d"].map((path) => ask("startWrite", path, false)));
    let isBegun = false;
    const fifth = ask("startWrite", "e", false).then((id) => {
      isBegun = true;
      return id;
    });
    await ask("exists", "e");
    expect(isBegun).toBe(false);
    await ask("endWrite", begun[0]);
    await ask("endWrite", await fifth);
    expect(await ask("exists", "e")).toBe(true);
    close();
  });

  it("refuses a new file that exists, even in parts", async () => {
    const { ask } = await openWorkspaceHost();
    await ask("write", "there.txt", "1", "utf8");
    const id = await ask("startWrite", "there.txt", true);
    await ask("addPart", id, "2", "utf8");

    await expect(ask("endWrite", id)).rejects.toMatchObject({ code: "EEXIST" });
    expect(await ask("read", "there.txt", "utf8")).toEqual(["1", null, ""]);
  });

  it("checks the revision between a read and a change", async () => {
    const { ask } = await openWorkspaceHost();
    const { revision } = (await ask("memorySave", "k", 1)) as { revision: string };

    expect(await ask("memoryReplace", "k", 2, "another")).toBeNull();
    expect(await ask("memoryReplace", "k", 2, revision)).toMatchObject({ key: "k" });
    expect(await ask("memoryReplace", "k", 3, revision)).toBeNull();
    expect(await ask("memoryLoad", "k")).toMatchObject({ value: 2 });
  });
});

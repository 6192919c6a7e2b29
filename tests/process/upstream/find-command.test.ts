// Commands and their dependencies are found even with a minimal search path.
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCommand } from "../../../src/upstream/child-environment.js";
import { fixturePath, stdioFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

const makeProgram = async (path: string, text = "#!/bin/sh\n", mode = 0o755): Promise<string> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

describe.skipIf(process.platform === "win32")("findCommand() (needs a Unix system)", () => {
  it("returns a command that contains a folder unchanged", async () => {
    const find = (command: string) => findCommand({ command, searchPath: [], environment: {} });
    expect(await find("/no/such/program")).toBe("/no/such/program");
    expect(await find("./server")).toBe("./server");
  });

  it("prefers the search path over common folders, and its first folder over its second", async () => {
    const home = await temporaryFolder();
    await makeProgram(join(home, ".local/bin/tool"));
    await makeProgram(join(home, "b/tool"));
    const first = await makeProgram(join(home, "a/tool"));
    const searchPath = [join(home, "missing"), join(home, "a"), join(home, "b")];
    expect(await findCommand({ command: "tool", searchPath, environment: { HOME: home } })).toBe(first);
  });

  it("skips folders and files that are not executable", async () => {
    const home = await temporaryFolder();
    await makeProgram(join(home, "a/tool"), "data", 0o644);
    await mkdir(join(home, "b/tool"), { recursive: true });
    const searchPath = [join(home, "a"), join(home, "b")];
    const find = () => findCommand({ command: "tool", searchPath, environment: { HOME: home } });
    expect(await find()).toBeUndefined();
    const found = await makeProgram(join(home, ".cargo/bin/tool"));
    expect(await find()).toBe(found);
  });

  it.each([
    ...[".volta/bin", ".local/bin", ".cargo/bin", ".bun/bin", ".deno/bin", ".pyenv/shims", ".asdf/shims"],
    ...[
      ".local/share/mise/shims",
      ".local/share/pnpm",
      ".npm-global/bin",
      "n/bin",
      ".fnm/aliases/default/bin",
    ],
    ...[".local/share/fnm/aliases/default/bin", ".fnm/node-versions/v22.1.0/installation/bin"],
  ])("looks in ~/%s", async (folder) => {
    const home = await temporaryFolder();
    const path = await makeProgram(join(home, folder, "some-tool"));
    const environment = { HOME: home };
    expect(await findCommand({ command: "some-tool", searchPath: [], environment })).toBe(path);
  });

  it("chooses nvm's newest version", async () => {
    const home = await temporaryFolder();
    const versions = join(home, ".nvm/versions/node");
    for (const version of ["v9.11.2", "v22.1.0", "v20.20.2"])
      await makeProgram(join(versions, version, "bin/some-tool"));
    const environment = { HOME: home };
    expect(await findCommand({ command: "some-tool", searchPath: [], environment })).toBe(
      join(versions, "v22.1.0/bin/some-tool"),
    );
  });

  it("prefers fnm's default version over a newer one", async () => {
    const home = await temporaryFolder();
    await makeProgram(join(home, ".local/share/fnm/node-versions/v30.0.0/installation/bin/some-tool"));
    const chosen = await makeProgram(join(home, ".local/share/fnm/aliases/default/bin/some-tool"));
    const environment = { HOME: home };
    expect(await findCommand({ command: "some-tool", searchPath: [], environment })).toBe(chosen);
  });

  it.each([
    ["NVM_DIR", "versions/node/v22.1.0/bin"],
    ["FNM_DIR", "node-versions/v22.1.0/installation/bin"],
    ["VOLTA_HOME", "bin"],
    ["PYENV_ROOT", "shims"],
    ["ASDF_DATA_DIR", "shims"],
    ["MISE_DATA_DIR", "shims"],
    ["PNPM_HOME", "."],
  ])("uses the folder that %s names", async (variable, folder) => {
    const home = await temporaryFolder();
    const path = await makeProgram(join(home, "elsewhere", folder, "some-tool"));
    const environment = { HOME: home, [variable]: join(home, "elsewhere") };
    expect(await findCommand({ command: "some-tool", searchPath: [], environment })).toBe(path);
  });

  it("finds programs next to our own node", async () => {
    const found = await findCommand({ command: "node", searchPath: [], environment: { HOME: "/none" } });
    expect(found).toBe(join(dirname(process.execPath), "node"));
  });

  it("starts a server with an empty search path, even if its command needs node itself", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, ".local/bin"), { recursive: true });
    await makeProgram(
      join(home, "package/start.mjs"),
      `#!/usr/bin/env node\nimport ${JSON.stringify(fixturePath("echo"))};\n`,
    );
    await symlink(join(home, "package/start.mjs"), join(home, ".local/bin/echo-server"));
    const { target, ...definition } = stdioFixture("echo");
    const upstreams = await openTestUpstreams({
      definitions: [
        { ...definition, target: { ...target, kind: "stdio", command: "echo-server", args: [], env: {} } },
      ],
      environment: { HOME: home, PATH: "" },
    });
    const path = await upstreams.call({ server: "echo", tool: "env", arguments: { name: "PATH" } });
    expect(textOf(path)).toBe(`${join(home, ".local/bin")}:${dirname(process.execPath)}`);
  });
});

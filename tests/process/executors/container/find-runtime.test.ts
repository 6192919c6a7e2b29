// Finds Podman or Docker, tested with scripts that answer as they do in each state.
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRuntime } from "../../../../src/executors/engines/container/container-runtime.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const isWindows = process.platform === "win32";

/** A program of that name that runs the shell script. */
const runtimeThat = async (name: string, script: string): Promise<string> => {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
};

describe.skipIf(isWindows)("findRuntime() (its programs are shell scripts)", () => {
  it("recognizes a local rootless Podman", async () => {
    const runtime = await runtimeThat("podman", 'echo "rootless=true remote=false"');

    expect(await findRuntime({ runtime })).toEqual({
      kind: "podman",
      command: runtime,
      isRootless: true,
      canPassDescriptors: true,
    });
  });

  it("passes no descriptors to a Podman in a virtual machine", async () => {
    const runtime = await runtimeThat("podman", 'echo "rootless=false remote=true"');

    expect(await findRuntime({ runtime })).toMatchObject({ isRootless: false, canPassDescriptors: false });
  });

  it("recognizes Docker, rootless or not", async () => {
    const rootful = await runtimeThat("docker", `echo '28.2.2 ["name=seccomp,profile=builtin"]'`);
    const rootless = await runtimeThat("docker", `echo '28.2.2 ["name=seccomp","name=rootless"]'`);

    expect(await findRuntime({ runtime: rootful })).toMatchObject({ kind: "docker", isRootless: false });
    expect(await findRuntime({ runtime: rootless })).toMatchObject({ kind: "docker", isRootless: true });
  });

  it("reports the output of a Docker client without its daemon", async () => {
    const runtime = await runtimeThat("docker", 'echo "Cannot connect to the Docker daemon" >&2; exit 1');

    await expect(findRuntime({ runtime })).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringMatching(
        /no container runtime answers \(.*Cannot connect to the Docker daemon\)$/,
      ),
      hint: expect.stringContaining("Install Podman"),
    });
  });

  it("treats an empty answer as no answer", async () => {
    const runtime = await runtimeThat("docker", "exit 0");

    await expect(findRuntime({ runtime })).rejects.toMatchObject({
      message: expect.stringContaining("no answer"),
    });
  });

  it("reports the name of a missing program", async () => {
    await expect(findRuntime({ runtime: "/nowhere/podman" })).rejects.toMatchObject({
      message: expect.stringContaining("/nowhere/podman"),
    });
  });
});

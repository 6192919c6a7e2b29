// The arguments that start a container: every wall is requested, and a weaker machine loses only what it does not support.
import { describe, expect, it } from "vitest";
import {
  type ContainerArgumentsOptions,
  toContainerArguments,
} from "../../../../src/executors/engines/container/container-runtime.js";

const options: ContainerArgumentsOptions = {
  runtime: { kind: "podman", command: "podman", isRootless: true, canPassDescriptors: true },
  variant: { hasOwnUser: true, hasControlGroups: true },
  image: "an-image",
  name: "a-name",
  memoryMb: 512,
  mounts: [{ source: "/host/guests", target: "/coordinator/executors" }],
  command: ["node", "entry.mjs", "a-name"],
};

const words = (changes: Partial<ContainerArgumentsOptions> = {}): string =>
  toContainerArguments({ ...options, ...changes }).join(" ");

describe("toContainerArguments()", () => {
  it.each([
    "--rm",
    "--network none",
    "--ipc none",
    "--read-only",
    "--cap-drop ALL",
    "--security-opt no-new-privileges",
    "--pull never",
    "--log-driver none",
    "--user 65534:65534",
    "--memory 512m --memory-swap 512m --pids-limit 64",
    "--label mcp-coordinator=guest",
    "--mount type=bind,source=/host/guests,target=/coordinator/executors,readonly",
  ])("requests %s", (wanted) => {
    expect(words()).toContain(wanted);
  });

  it("ends with the image and the program's arguments, the program being the entry point", () => {
    expect(words()).toMatch(/--entrypoint node an-image entry\.mjs a-name$/);
  });

  it("leaves out only the user if there is no second one", () => {
    const weaker = words({ variant: { hasOwnUser: false, hasControlGroups: true } });

    expect(weaker).not.toContain("--user");
    expect(weaker.split(" ").length).toBe(words().split(" ").length - 2);
  });

  it("leaves out only the cgroup limits if there are no cgroups", () => {
    const weaker = words({ variant: { hasOwnUser: true, hasControlGroups: false } });

    expect(weaker).not.toMatch(/--memory|--pids-limit/);
    expect(weaker).toContain("--ulimit nproc=512:512");
  });

  it("keeps the host's names out of Podman's containers and passes Docker no unknown argument", () => {
    const docker = {
      kind: "docker",
      command: "docker",
      isRootless: false,
      canPassDescriptors: false,
    } as const;

    expect(words()).toContain("--no-hosts --read-only-tmpfs=false");
    expect(words({ runtime: docker })).not.toMatch(/--no-hosts|--read-only-tmpfs|--preserve-fds/);
  });

  it("passes descriptor 3 if frames use a separate wire, stdin otherwise", () => {
    expect(words({ hasOwnWire: true })).toContain("--preserve-fds 1 --env GUEST_WIRE=3");
    expect(words({ hasOwnWire: true })).not.toContain("--interactive");
    expect(words()).toContain("--interactive");
  });

  it("quotes a folder whose name has a comma or a quote in it", () => {
    const mounts = [{ source: '/a,b"c', target: "/t" }];

    expect(toContainerArguments({ ...options, mounts })).toContain(
      'type=bind,"source=/a,b""c",target=/t,readonly',
    );
  });

  it("passes another OCI runtime if one is configured", () => {
    expect(words({ ociRuntime: "runsc" })).toContain("--runtime runsc");
    expect(words()).not.toContain("--runtime");
  });
});

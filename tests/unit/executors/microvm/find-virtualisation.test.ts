// Determines whether a virtual machine can be started, without starting one.
import { describe, expect, it } from "vitest";
import {
  findVirtualisationObstacle,
  type MachineFacts,
} from "../../../../src/executors/engines/microvm/microvm.js";

const server: MachineFacts = {
  platform: "linux",
  architecture: "x64",
  readKvm: () => "usable",
  readProcessor: () => "processor\t: 0\nflags\t\t: fpu vme vmx sse2\n",
};
const reasonOf = (changes: Partial<MachineFacts>): string | undefined =>
  findVirtualisationObstacle({ ...server, ...changes })?.reason;

describe("findVirtualisationObstacle()", () => {
  const machines: readonly (readonly [string, Partial<MachineFacts>])[] = [
    ["a server with Intel's extension", {}],
    ["a server with AMD's extension", { readProcessor: () => "flags\t: fpu svm sse2\n" }],
    ["an ARM server, whose processor lists none", { architecture: "arm64", readProcessor: () => "" }],
    ["a Mac with Apple silicon", { platform: "darwin", architecture: "arm64", readKvm: () => "missing" }],
  ];

  it.each(machines)("finds none on %s", (_machine, changes) => {
    expect(findVirtualisationObstacle({ ...server, ...changes })).toBeUndefined();
  });

  it("reports the missing device", () => {
    expect(reasonOf({ readKvm: () => "missing" })).toBe("there is no /dev/kvm");
  });

  it("explains how to get permission to open the device", () => {
    expect(findVirtualisationObstacle({ ...server, readKvm: () => "denied" })).toEqual({
      reason: "this user may not open /dev/kvm",
      fix: expect.stringContaining("usermod -aG kvm"),
    });
  });

  it("detects a KVM in software, even if a flag only looks similar", () => {
    expect(reasonOf({ readProcessor: () => "flags\t: fpu svm_lock vmxoff\n" })).toContain("KVM in software");
    expect(reasonOf({ readProcessor: () => "" })).toContain("KVM in software");
  });

  it.each([
    ["darwin", "x64"],
    ["win32", "x64"],
    ["linux", "riscv64"],
  ] as const)("finds one on %s-%s", (platform, architecture) => {
    expect(reasonOf({ platform, architecture })).toContain(`${platform}-${architecture}`);
  });
});

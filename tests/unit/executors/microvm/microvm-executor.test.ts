// The experimental microvm executor without a virtual machine: what it refuses and why, what it requests from the package, and how it fails.
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits, type GuestJob } from "../../../../src/contracts/index.js";
import {
  findMicrosandbox,
  loadMicrosandbox,
  openVirtualMachine,
} from "../../../../src/executors/engines/microvm/microsandbox.js";
import {
  findVirtualisationObstacle,
  openMicrovmExecutor,
} from "../../../../src/executors/engines/microvm/microvm.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

/** Where the real package is, if installed. */
const packageFolder = process.env.MICROSANDBOX_FOLDER ?? process.cwd();
const hasPackage = findMicrosandbox({ packageFolder }) !== undefined;
const canBoot = findVirtualisationObstacle() === undefined;

const job: GuestJob = {
  language: "typescript",
  code: "export default async () => 1",
  files: [],
  globals: {},
  host: { call: async () => ({ status: "answered", format: "json", body: "null" }) },
  limits: defaultLimits,
};

/** A package of that name with this source. */
const packageThat = async (source: string): Promise<string> => {
  const folder = await temporaryFolder();
  const target = join(folder, "node_modules", "microsandbox");
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "package.json"), '{ "type": "module", "main": "index.js" }');
  await writeFile(join(target, "index.js"), source);
  return folder;
};

/** Records every call, and boots into the result of `create`. */
const recorder = (create: string): string => `
  export const words = [];
  const builder = new Proxy({}, { get: (_target, name) => (...values) => {
    words.push([name, ...values.map((value) => typeof value === "function" ? (value(mount), "configured") : value)]);
    return name === "create" ? ${create} : builder;
  } });
  const mount = new Proxy({}, { get: (_target, name) => (...values) => { words.push(["mount." + String(name), ...values]); return mount; } });
  export const Sandbox = { builder: (name) => { words.push(["builder", name]); return builder; } };
`;

const openRecorded = async (create: string) => {
  const microsandbox = loadMicrosandbox({ packageFolder: await packageThat(recorder(create)) });
  const { words } = microsandbox as unknown as { words: unknown[][] };
  const options = { microsandbox, name: "vm", image: "an-image", memoryMb: 128 };
  return { words, opening: openVirtualMachine({ ...options, language: "typescript" }) };
};

describe.skipIf(canBoot)("openMicrovmExecutor() (this machine could boot one)", () => {
  it("is unavailable, reports why, and refuses a run with the same reason", async () => {
    const executor = openMicrovmExecutor({ limits: defaultLimits });
    const report = await executor.inspect();

    expect(report).toMatchObject({ isAvailable: false, walls: [], fix: expect.any(String) });
    await expect(executor.run(job)).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: `Cannot start the sandbox "microvm": ${report.reason}`,
      hint: report.fix,
    });
    await executor.close();
  });
});

describe("loadMicrosandbox()", () => {
  it("explains how to install a missing package", async () => {
    const folder = await temporaryFolder();

    expect(() => loadMicrosandbox({ packageFolder: folder })).toThrow(
      expect.objectContaining({
        code: "SANDBOX_UNAVAILABLE",
        message: expect.stringContaining('"microsandbox" is not installed'),
        hint: expect.stringContaining("npm install microsandbox"),
      }),
    );
  });

  it("reports that a package does not load on this platform", async () => {
    const folder = await packageThat('throw new Error("no native binding")');

    expect(() => loadMicrosandbox({ packageFolder: folder })).toThrow(
      `does not load on ${process.platform}-${process.arch}`,
    );
  });
});

describe("openVirtualMachine()", () => {
  it("requests a machine without network, with fixed memory, that leaves nothing behind", async () => {
    const { words, opening } = await openRecorded('Promise.reject(new Error("no"))');
    await expect(opening).rejects.toThrow();

    expect(words).toEqual(
      expect.arrayContaining([
        ["builder", "vm"],
        ["image", "an-image"],
        ["memory", 512],
        ["security", "restricted"],
        ["disableNetwork"],
        ["ephemeral", true],
      ]),
    );
  });

  it("mounts our own files, all of them read-only", async () => {
    const { words, opening } = await openRecorded('Promise.reject(new Error("no"))');
    await expect(opening).rejects.toThrow();
    const named = (name: string): unknown[][] => words.filter(([word]) => word === name);

    expect(named("volume").length).toBeGreaterThan(0);
    expect(named("mount.readonly")).toHaveLength(named("volume").length);
    for (const [, source] of named("mount.bind")) await access(String(source));
  });

  it("reports in one line why a machine did not boot", async () => {
    const { opening } = await openRecorded('Promise.reject(new Error("boot failed\\nmore"))');

    await expect(opening).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: 'Cannot start the sandbox "microvm" from "an-image": boot failed',
    });
  });

  it("carries bytes both ways and ends the machine with its process", async () => {
    const { opening } = await openRecorded(`(() => {
      const inbox = [];
      let wake = () => {};
      const next = async () => { while (inbox.length === 0) await new Promise((resolve) => { wake = resolve; }); return inbox.shift(); };
      const push = (event) => { inbox.push(event); wake(); };
      return Promise.resolve({
        execStreamWith: async (command, configure) => ({
          takeStdin: async () => ({ write: async (data) => push({ kind: "stdout", data }) }),
          async *[Symbol.asyncIterator]() { for (;;) { const event = await next(); yield event; if (event.kind === "exited") return; } },
        }),
        kill: async () => push({ kind: "exited", code: 137 }),
      });
    })()`);
    const channel = await opening;
    const exit = new Promise<void>((resolve) => channel.onExit(resolve));
    const echoed = new Promise<string>((resolve) =>
      channel.output.once("data", (chunk) => resolve(String(chunk))),
    );
    channel.input.write("a frame");

    expect(await echoed).toBe("a frame");
    channel.kill();
    await exit;
  });

  it("reports a failure on a machine that cannot boot", async ({ skip }) => {
    skip(!hasPackage || canBoot, "the package microsandbox is not installed, or this machine can boot");
    process.env.MSB_HOME = await temporaryFolder();
    const microsandbox = loadMicrosandbox({ packageFolder });
    const image = await temporaryFolder();
    const options = { microsandbox, name: "mcp-coordinator-test", image, memoryMb: 128 };

    await expect(openVirtualMachine({ ...options, language: "typescript" })).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining("microvm"),
    });
  });
});

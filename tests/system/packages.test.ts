// Servers from packages, with a registry on loopback: fetched first, started directly, and never half installed.
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readTools } from "../../src/surfaces/mcp-server/agent-tools/describe-tools.js";
import { renderSearch } from "../../src/surfaces/mcp-server/agent-tools/render-search.js";
import { describeServer, openMachine } from "../support/package-machine.js";

// npm takes a second for each installation, and many where the machine is busy.

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

const serverFile = new URL("../fixtures/packages/server.mjs", import.meta.url);

it("several servers on a cold machine answer at the first try, installed one after the other", async () => {
  const { registry, toEntry, open } = await openMachine();
  const names = ["one", "two", "three", "four"];
  for (const name of names) registry.publish(`mcp-${name}`);
  const coordinator = await open(
    Object.fromEntries(names.map((name) => [name, toEntry(`mcp-${name}`, "--word", name)])),
  );
  const reported: string[] = [];
  coordinator.onFetchProgress(({ done, total }) => reported.push(`${done} of ${total}`));
  const servers = await coordinator.listServers({ connect: true });
  expect(servers.map(({ status, toolCount }) => [status, toolCount])).toEqual(names.map(() => ["ready", 1]));
  expect(reported).toContain("2 of 4");
  expect(registry.downloads.toSorted()).toEqual(names.map((name) => `mcp-${name}@1.0.0`).toSorted());
  const [first] = servers;
  expect(first?.launch).toMatchObject({ runner: "npx", mode: "direct", isFetched: true });
  expect(first?.launch?.package).toMatchObject({ name: "mcp-one", version: "1.0.0" });
  expect(first?.launch?.package?.integrity).toMatch(/^sha512-/);
  const { words, file, path, token } = await describeServer(coordinator, "one");
  expect(words).toEqual(["--word", "one"]);
  expect(file).toContain("packages");
  expect(path.split(":")[0]).toContain(join("node_modules", ".bin"));
  expect(token).toBeNull();
});

it("a search waits for a package only for a moment and reports it; a call waits until it is installed", async () => {
  const { registry, toEntry, open } = await openMachine();
  registry.publish("mcp-slow");
  const held = registry.hold("mcp-slow");
  // Shorter than the delay of the download: installing does not count as connecting.
  const coordinator = await open({ slow: toEntry("mcp-slow") }, { timeouts: { connectTimeoutMs: 10_000 } });
  const first = await coordinator.searchTools({ query: "started" });
  expect(first.unavailable).toEqual([
    { server: "slow", reason: "its package is being installed", isInstalling: true },
  ]);
  expect(renderSearch(first)).toContain("Still being installed, and not searched: slow.");
  expect((await coordinator.listServers())[0]?.status).toBe("installing");
  await held.asked;
  const changed = new Promise<string>((resolve) => coordinator.onToolsChanged(resolve));
  const messages: string[] = [];
  const run = coordinator.runCode({
    code: "return (await slow.describe({})).words",
    onProgress: ({ message }) => messages.push(message),
  });
  await expect.poll(() => messages).toContain('waiting until the package of "slow" is installed');
  held.release();
  expect(await changed).toBe("slow");
  expect(await run).toMatchObject({ status: "completed", value: [] });
});

// The second limit is also long enough for a check.
it.each([1500, 12_000])(
  "a run that waits %i ms for an installation ends with the reason",
  async (timeoutMs) => {
    const { registry, toEntry, open } = await openMachine();
    registry.publish("mcp-late");
    const held = registry.hold("mcp-late");
    const coordinator = await open({ late: toEntry("mcp-late") });
    const code = "return (await late.describe({})).words";
    const run = await coordinator.runCode({ code, limits: { timeoutMs } });
    expect(run.error?.message).toContain(`its package is still being installed after ${timeoutMs} ms`);
    held.release();
    expect(await coordinator.runCode({ code })).toMatchObject({ status: "completed", value: [] });
  },
);

it("a fetch continues if its host is killed", async () => {
  const { folder, home, registry, environment, settings, toEntry, open } = await openMachine();
  registry.publish("mcp-kept");
  const held = registry.hold("mcp-kept");
  const config = join(folder, "mcp.json");
  const mcpServers = { kept: toEntry("mcp-kept") };
  await writeFile(config, JSON.stringify({ mcpServers, coordinator: settings }));
  const hostFile = fileURLToPath(new URL("../fixtures/hosts/lists-until-killed.mjs", import.meta.url));
  const host = spawn(process.execPath, [hostFile, config], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.all([
    new Promise((resolve) => createInterface({ input: host.stdout }).once("line", resolve)),
    held.asked,
  ]);
  expect(line).toBe("installing kept");
  host.kill("SIGKILL");
  held.release();
  const coordinator = await open(mcpServers);
  await expect.poll(async () => (await coordinator.listServers())[0]?.launch?.isFetched).toBe(true);
  // What was fetched is all that is needed.
  await registry.close();
  expect((await describeServer(coordinator, "kept")).words).toEqual([]);
  expect(registry.downloads).toEqual(["mcp-kept@1.0.0"]);
});

it("an interrupted download is reported with its reason, leaves nothing behind, and works the next time", async () => {
  const { registry, toEntry, open, listAttempts } = await openMachine();
  registry.publish("mcp-cut");
  registry.cutOff("mcp-cut");
  const coordinator = await open({ cut: toEntry("mcp-cut") });
  const failure = await describeServer(coordinator, "cut").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "UPSTREAM_UNREACHABLE", details: { phase: "fetch" } });
  expect((failure as Error).message).toBe(
    'Cannot start "cut": cannot install "mcp-cut": its registry cannot be reached (ECONNRESET)',
  );
  expect(await listAttempts()).toEqual([]);
  expect((await describeServer(coordinator, "cut")).words).toEqual([]);
  expect(await listAttempts()).toHaveLength(1);
});

it("the error names a package that does not exist, and a registry that cannot be reached", async () => {
  const { registry, toEntry, open } = await openMachine();
  const coordinator = await open({ none: toEntry("mcp-none") });
  const [server] = await coordinator.listServers({ connect: true });
  expect(server?.error?.message).toBe(
    'Cannot start "none": cannot install "mcp-none": its registry has no package "mcp-none", or not in that version',
  );
  expect(server?.error?.hint).toContain("Correct the name");
  await registry.close();
  const [cut] = await coordinator.listServers({ connect: true });
  expect(cut?.error).toMatchObject({
    message: expect.stringContaining("its registry cannot be reached (ECONNREFUSED)"),
    details: { reason: "network" },
  });
});

it("a damaged part of an installation is reported, and only that is removed on request", async () => {
  const { home, registry, environment, settings, toEntry, open, listAttempts } = await openMachine();
  registry.publish("mcp-torn");
  const direct = toEntry("mcp-torn");
  const written = { ...direct, launch: "as written" as const };
  const coordinator = await open({ direct, written });
  expect((await describeServer(coordinator, "direct")).words).toEqual([]);
  const { file } = await describeServer(coordinator, "written");
  await coordinator.close();
  const [name = ""] = (await readdir(join(settings.cacheFolder, "packages"))).filter((one) =>
    one.endsWith("-as-written"),
  );
  const fetched = join(settings.cacheFolder, "packages", name.replace(/-as-written$/, ""));
  const [attempt = ""] = await listAttempts();
  const npx = join(home, ".npm", "_npx");
  await mkdir(join(npx, "another"));
  for (const main of [file, join(fetched, attempt, "node_modules", "mcp-torn", "server.mjs")])
    await writeFile(main, "#!/usr/bin/env node\nimport 'zod';\n");
  const torn = await open({ direct, written });
  const failed = await torn.listServers({ connect: true });
  const [folder = ""] = (await readdir(npx)).filter((one) => one !== "another");
  expect(failed.map(({ error }) => [error?.message, error?.hint])).toEqual(
    [
      ["direct", fetched],
      ["written", join(npx, folder)],
    ].map(([server, path]) => [
      `Cannot start "${server}": its installation is damaged: "zod" is missing`,
      `Run "mcp-coordinator doctor --fix": it removes "${path}", and the package is installed again.`,
    ]),
  );
  const config = join(home, "mcp.json");
  await writeFile(config, JSON.stringify({ mcpServers: { written }, coordinator: settings }));
  const runDoctor = async (...words: string[]): Promise<string> => {
    const child = spawn(process.execPath, [bin, "doctor", "--config", config, ...words], {
      cwd: home,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return stdout + stderr;
  };
  expect(await runDoctor("--fix")).toContain("There is no terminal to ask at");
  expect((await readdir(npx)).toSorted()).toEqual(["another", folder].toSorted());
  // It is removed, installed again by the second search, and works.
  const fixed = await runDoctor("--fix", "--yes");
  expect(fixed).toContain(`Removed ~/.npm/_npx/${folder}`);
  expect(fixed).toMatch(/^written +ready/m);
  expect((await readdir(npx)).toSorted()).toEqual(["another", folder].toSorted());
  expect(await torn.repairServer({ server: "direct" })).toEqual({ removed: fetched });
  expect((await torn.listServers({ connect: true })).map(({ status }) => status)).toEqual(["ready", "ready"]);
});

it("a package that needs another Node names the version", async () => {
  const { registry, toEntry, open } = await openMachine();
  const program = '#!/usr/bin/env node\nthrow new TypeError("Promise.later is not a function");\n';
  registry.publish("mcp-future", { fields: { engines: { node: ">=90" } }, program });
  const coordinator = await open({ future: toEntry("mcp-future") });
  const [server] = await coordinator.listServers({ connect: true });
  expect(server?.error?.message).toMatch(
    /^Cannot start "future": it needs Node >=90, but \d+\.\d+\.\d+ started it$/,
  );
});

it("install scripts run, as npx would run them, for the Node that starts the package", async () => {
  const { registry, toEntry, open } = await openMachine();
  registry.publish("mcp-built", { fields: { scripts: { install: "node install.mjs" } } });
  const coordinator = await open({ built: toEntry("mcp-built") });
  expect(await describeServer(coordinator, "built")).toMatchObject({ isBuilt: true });
});

it("a failing install script is reported with its output", async () => {
  const { registry, toEntry, open } = await openMachine();
  const script = `node -e "console.error('no compiler here'); process.exit(3)"`;
  registry.publish("mcp-fails", { fields: { scripts: { install: script } } });
  const coordinator = await open({ fails: toEntry("mcp-fails") });
  const [server] = await coordinator.listServers({ connect: true });
  expect(server?.error?.message).toContain('npm exited with code 3; it said "no compiler here"');
});

it("a package is started with the machine's Node if it fits, else with ours", async () => {
  const { folder, registry, toEntry, open } = await openMachine();
  registry.publish("mcp-old", { fields: { engines: { node: ">=16" } } });
  registry.publish("mcp-new", {
    fields: { engines: { node: ">=22" }, scripts: { install: "node install.mjs" } },
  });
  const bin = join(folder, "bin");
  await mkdir(bin);
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0 && exit\nexec "${process.execPath}" "$@"\n`;
  await writeFile(join(bin, "node"), script);
  await chmod(join(bin, "node"), 0o755);
  const environment = { PATH: `${bin}:${process.env.PATH}` };
  const coordinator = await open({ old: toEntry("mcp-old"), new: toEntry("mcp-new") }, { environment });
  const servers = await coordinator.listServers({ connect: true });
  expect(servers.map(({ status, launch }) => [status, launch?.node?.isOwn, launch?.node?.version])).toEqual([
    ["ready", false, "18.0.0"],
    ["ready", true, process.versions.node],
  ]);
  expect(await describeServer(coordinator, "new")).toMatchObject({ isBuilt: true });
});

it("a fetch whose process is killed is repeated", async () => {
  const { registry, settings, toEntry, open, listAttempts } = await openMachine();
  registry.publish("mcp-again");
  const held = registry.hold("mcp-again");
  const coordinator = await open({ again: toEntry("mcp-again") });
  const described = describeServer(coordinator, "again");
  await held.asked;
  const lock = join(settings.cacheFolder, "packages", "npm.lock");
  const [holder = ""] = await readdir(lock);
  process.kill((JSON.parse(await readFile(join(lock, holder), "utf8")) as { pid: number }).pid, "SIGKILL");
  held.release();
  expect((await described).words).toEqual([]);
  // The attempt of the killed process stays on disk and blocks nothing.
  expect((await listAttempts()).length).toBeGreaterThanOrEqual(1);
});

it("an update is fetched on request, and shown", async () => {
  const { registry, toEntry, open } = await openMachine();
  registry.publish("mcp-moves");
  const coordinator = await open({ moves: toEntry("mcp-moves") });
  expect(await coordinator.fetchServers()).toMatchObject([{ server: "moves", before: undefined }]);
  registry.publish("mcp-moves", { version: "1.1.0" });
  // Resolved today, so it is not resolved again.
  expect((await coordinator.fetchServers())[0]?.launch?.package?.version).toBe("1.0.0");
  const [updated] = await coordinator.fetchServers({ isRefreshed: true });
  expect(updated).toMatchObject({ before: "1.0.0", launch: { package: { version: "1.1.0" } } });
  const [server] = await coordinator.listServers();
  expect(server?.launch?.package?.before).toMatchObject({ version: "1.0.0" });
});

it("a name is resolved again in the background after a day, a pinned version never", async () => {
  const { registry, settings, toEntry, open } = await openMachine();
  for (const name of ["mcp-floats", "mcp-stays"]) registry.publish(name);
  const coordinator = await open({ floats: toEntry("mcp-floats"), stays: toEntry("mcp-stays@1.0.0") });
  await coordinator.fetchServers();
  const packages = join(settings.cacheFolder, "packages");
  const records = (await readdir(packages)).filter((name) => name.startsWith("npm-"));
  for (const name of records) {
    const file = join(packages, name, "record.json");
    const record = JSON.parse(await readFile(file, "utf8")) as { resolvedAtMs: number };
    await writeFile(file, JSON.stringify({ ...record, resolvedAtMs: record.resolvedAtMs - 25 * 3_600_000 }));
  }
  for (const name of ["mcp-floats", "mcp-stays"]) registry.publish(name, { version: "1.1.0" });
  const held = registry.hold("mcp-floats");
  // Nobody waits for the update.
  expect((await describeServer(coordinator, "floats")).words).toEqual([]);
  await describeServer(coordinator, "stays");
  await held.asked;
  held.release();
  const readVersions = async () =>
    (await coordinator.listServers()).map(({ launch }) => launch?.package?.version);
  await expect.poll(readVersions).toEqual(["1.1.0", "1.0.0"]);
});

it("the same version with other content is refused, and the installed one stays in use", async () => {
  const { registry, toEntry, open } = await openMachine();
  for (const version of ["1.0.0", "1.1.0"]) registry.publish("mcp-same", { version });
  const coordinator = await open({ same: toEntry("mcp-same@^1.0.0") });
  await coordinator.fetchServers();
  registry.publish("mcp-same", { version: "1.1.0", text: "changed" });
  const [refused] = await coordinator.fetchServers({ isRefreshed: true });
  expect(refused?.error?.message).toContain("version 1.1.0 has different content than before");
  expect((await describeServer(coordinator, "same")).words).toEqual([]);
});

it("a package is started as written if the folder has installed it itself, or on request", async () => {
  const { home, registry, toEntry, open } = await openMachine();
  registry.publish("mcp-local");
  registry.publish("mcp-asked");
  await mkdir(join(home, "node_modules", "mcp-local"), { recursive: true });
  const project = join(home, "project");
  await mkdir(project);
  await writeFile(join(project, ".npmrc"), "registry=http://127.0.0.1:9/");
  await writeFile(join(project, "package.json"), "{}");
  const coordinator = await open({
    local: { ...toEntry("mcp-local"), cwd: home },
    asked: { ...toEntry("mcp-asked"), launch: "as written" },
    steered: { ...toEntry("mcp-asked"), cwd: project },
  });
  const [local, asked, steered] = await coordinator.listServers();
  expect(local?.launch).toMatchObject({
    mode: "as written",
    reason: expect.stringContaining("npx may start"),
  });
  expect(steered?.launch).toMatchObject({ mode: "as written", reason: expect.stringContaining(".npmrc") });
  expect(asked?.launch).toMatchObject({ mode: "as written", reason: 'the setting "launch" says so' });
});

it("a fetched package is not used if its command is to be started as written, and vice versa", async () => {
  const { home, registry, toEntry, open } = await openMachine();
  registry.publish("mcp-both");
  const direct = toEntry("mcp-both");
  const written = { ...direct, launch: "as written" as const };
  const files: string[] = [];
  for (const entry of [direct, written, direct]) {
    const coordinator = await open({ both: entry });
    files.push((await describeServer(coordinator, "both")).file);
    await coordinator.close();
  }
  expect(files.map((file) => file.startsWith(join(home, ".npm", "_npx")))).toEqual([false, true, false]);
});

it("a command that is started as written has time to install, and is not killed when we end", async () => {
  const { home, registry, toEntry, open } = await openMachine();
  registry.publish("mcp-npx");
  const held = registry.hold("mcp-npx");
  const entry = { ...toEntry("mcp-npx"), launch: "as written" as const };
  const coordinator = await open({ npx: entry }, { timeouts: { connectTimeoutMs: 1 } });
  const listing = coordinator.listServers({ connect: true });
  await held.asked;
  await coordinator.close();
  await listing;
  held.release();
  // npx ends its installation by itself: nothing half-installed is in its cache.
  await expect
    .poll(() => readdir(join(home, ".npm", "_npx"), { recursive: true }).catch(() => []))
    .toContainEqual(expect.stringContaining(join(".bin", "mcp-npx")));
});

it("the next installation removes a package that was unused for a month, but none in use", async () => {
  const { registry, settings, toEntry, open } = await openMachine();
  for (const name of ["mcp-left", "mcp-used", "mcp-new"]) registry.publish(name);
  const first = await open({ left: toEntry("mcp-left"), used: toEntry("mcp-used") });
  await first.fetchServers();
  const packages = join(settings.cacheFolder, "packages");
  const age = async (name: string): Promise<void> => {
    const then = new Date(Date.now() - 31 * 24 * 3_600_000);
    for (const entry of await readdir(join(packages, name)))
      await utimes(join(packages, name, entry), then, then);
    await utimes(join(packages, name), then, then);
  };
  const listPackages = async () => (await readdir(packages)).filter((name) => name.startsWith("npm-mcp"));
  for (const name of await listPackages()) await age(name);
  await describeServer(first, "used");
  await (await open({ new: toEntry("mcp-new") })).fetchServers();
  const short = async () => (await listPackages()).map((name) => name.replace(/-[0-9a-f]+$/, ""));
  // The process that fetches answers first, then it cleans up.
  await expect.poll(short, { timeout: 20_000 }).toEqual(["npm-mcp-new", "npm-mcp-used"]);
  expect((await describeServer(first, "used")).words).toEqual([]);
  // One that was removed is fetched again when it is needed.
  expect((await describeServer(first, "left")).words).toEqual([]);
});

it("a coordinator that stays open reports an updated package once", async () => {
  const { registry, toEntry, open } = await openMachine();
  registry.publish("mcp-moved");
  const coordinator = await open({ moved: toEntry("mcp-moved") });
  await coordinator.fetchServers();
  registry.publish("mcp-moved", { version: "1.1.0" });
  await coordinator.fetchServers({ isRefreshed: true });
  const notes: string[] = [];
  const end = await coordinator.stayCurrent({ onNote: (text) => notes.push(text) });
  await expect.poll(() => notes, { timeout: 30_000 }).toHaveLength(1);
  end();
  expect(notes[0]).toMatch(/^"moved" was updated on [0-9-]+: mcp-moved 1\.1\.0, before 1\.0\.0\./);
});

it("the outline names the servers whose packages are being installed", async () => {
  const { registry, toEntry, open } = await openMachine();
  registry.publish("mcp-known");
  registry.publish("mcp-slow");
  registry.hold("mcp-slow");
  const coordinator = await open({ known: toEntry("mcp-known"), slow: toEntry("mcp-slow") });
  await coordinator.listTools({ server: "known" });
  const [runCode] = await readTools(coordinator);
  expect(runCode?.description).toContain("; still being installed or read: slow;");
});

it("a command started as written that hangs does not prevent others from starting", async () => {
  const { registry, toEntry, open } = await openMachine();
  for (const name of ["mcp-stuck", "mcp-behind"]) registry.publish(name);
  const held = registry.hold("mcp-stuck");
  const toWritten = (name: string) => ({ ...toEntry(name), launch: "as written" as const });
  const coordinator = await open({ stuck: toWritten("mcp-stuck"), behind: toWritten("mcp-behind") });
  const stuck = describeServer(coordinator, "stuck");
  await held.asked;
  // The other one is released only later.
  expect((await describeServer(coordinator, "behind")).words).toEqual([]);
  held.release();
  expect((await stuck).words).toEqual([]);
});

it("a package is installed and started without Node on the search path and without a shebang line", async () => {
  const { home, registry, toEntry, open } = await openMachine();
  const program = (await readFile(serverFile, "utf8")).replace(/^#!.*\n/, "");
  registry.publish("mcp-bare", { program });
  const coordinator = await open({ bare: toEntry("mcp-bare") }, { environment: { PATH: home } });
  expect((await describeServer(coordinator, "bare")).words).toEqual([]);
});

it("the error names a cache folder that is not writable, with what to do", async () => {
  const { registry, settings, toEntry, open } = await openMachine();
  registry.publish("mcp-unwritten");
  await writeFile(settings.cacheFolder, "a file is in its place");
  const coordinator = await open({ unwritten: toEntry("mcp-unwritten") });
  await expect(describeServer(coordinator, "unwritten")).rejects.toMatchObject({
    message: expect.stringMatching(
      /cannot install "mcp-unwritten": ".*packages.*" cannot be written \(ENOTDIR\)/,
    ),
    hint: expect.stringContaining("cacheFolder"),
  });
});

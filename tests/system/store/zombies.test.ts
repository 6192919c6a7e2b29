// A killed process that its parent has not reaped holds no lock, run, session or container.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../../src/contracts/index.js";
import { createContainerNames, isOrphan } from "../../../src/executors/engines/container/container-names.js";
import { openCoordinator } from "../../../src/index.js";
import { openStore } from "../../../src/store/index.js";
import { withLock } from "../../../src/store/with-lock.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startNeglected, zombieObstacle } from "../../support/zombie.js";
import { toLedgerConfig } from "../durable/open-ledger.js";

const fixture = (path: string): string => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const holdLock = (folder: string) =>
  startNeglected(process.execPath, fixture("store/holds-lock.mjs"), folder);

describe.skipIf(zombieObstacle !== undefined)(`a zombie ${zombieObstacle ?? ""}`, () => {
  it("does not hold a lock", async () => {
    const folder = join(await temporaryFolder(), "lock");
    const holder = await holdLock(folder);
    await expect(withLock(folder, () => "mine", { waitMs: 100 })).rejects.toMatchObject({
      code: "STORE_BUSY",
    });

    await holder.kill();

    expect(await withLock(folder, () => "mine", { waitMs: 2000 })).toBe("mine");
  });

  it("does not hold the session it was writing", async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, limits: defaultLimits });
    const { sessions } = await store.openWorkspace("shared");
    await sessions.begin("first");
    const holder = await holdLock(join(folder, "workspaces", "shared", "locks", "sessions"));

    await holder.kill();

    await sessions.begin("second");
    expect((await sessions.read("second")).session_id).toBe("second");
  });

  it("does not hold a run, which can be resumed at once", async () => {
    const folder = await temporaryFolder();
    const seen = join(folder, "seen.txt");
    appendFileSync(seen, "");
    const config = join(folder, "mcp.json");
    // This host's server takes days to answer, the next one's answers at once.
    writeFileSync(config, JSON.stringify(toLedgerConfig(folder, ["--delay", String(2 ** 31 - 1)])));
    const program = 'await ledger.read({ value: 1 }); return "done";';
    const words = [fixture("hosts/runs-until-killed.mjs"), config, "typescript", program];
    const host = await startNeglected(process.execPath, ...words);
    await expect.poll(() => readFileSync(seen, "utf8")).toContain("read 1");

    await host.kill();

    const coordinator = await openCoordinator({ config: toLedgerConfig(folder) });
    onTestFinished(() => coordinator.close());
    expect(await coordinator.resumeRun({ runId: host.firstLine })).toMatchObject({
      status: "completed",
      value: "done",
    });
  });

  it("does not keep its containers", async () => {
    const child = await startNeglected(
      process.execPath,
      "-e",
      `console.log(require("node:fs").readFileSync("/proc/self/stat", "utf8")); setInterval(() => {}, 1000)`,
    );
    const startedAt = child.firstLine.slice(child.firstLine.lastIndexOf(")") + 2).split(" ")[19];
    const parts = createContainerNames().next().split("-");
    const name = [...parts.slice(0, 3), child.pid, startedAt, ...parts.slice(5)].join("-");
    expect(isOrphan(name)).toBe(false);

    await child.kill();

    expect(isOrphan(name)).toBe(true);
  });
});

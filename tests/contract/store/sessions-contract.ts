// The contract of session logs: every task, and the checkpoint to continue from.
import { describe, expect, it } from "vitest";
import type { OpenStore } from "./store-contract.js";

export const describeSessions = (open: OpenStore): void => {
  describe("sessions", () => {
    it("have the documented structure", async () => {
      const { store } = await open();
      const { sessions, states } = await store.openWorkspace("ada");
      await sessions.begin("import");
      const stateFile = await states.save({ page: 2 }, "pages");
      await sessions.addTask("import", {
        description: "Fetch the pages",
        code: "return 2",
        result: { pages: 2 },
        output: "2 pages\n",
        runId: "run-1",
        stateFiles: [stateFile],
      });
      await sessions.saveCheckpoint("import", { step: 2, context: { next: "rows" } });
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
      expect(await sessions.read("import")).toEqual({
        session_id: "import",
        customer_uid: "ada",
        started_at: at,
        ended_at: null,
        tasks: [
          {
            task_id: "task_001",
            description: "Fetch the pages",
            code: "return 2",
            result: { pages: 2 },
            output: "2 pages\n",
            timestamp: at,
            run_id: "run-1",
          },
        ],
        state_files: ["state/pages.json"],
        checkpoint: { step: 2, last_task: "task_001", context: { next: "rows" }, timestamp: at },
      });
    });

    it("continue at the recorded step after they are reopened", async () => {
      const { store, openAgain } = await open();
      const first = (await store.openWorkspace("ada")).sessions;
      const { session_id: session } = await first.begin();
      expect(session).toBe("session_001");
      await first.addTask(session, { code: "1" });
      await first.saveCheckpoint(session, { step: "b", context: 7 });
      await first.end(session);
      const second = (await (await openAgain()).openWorkspace("ada")).sessions;
      const current = await second.current();
      expect(current).toMatchObject({ session_id: session, checkpoint: { step: "b", context: 7 } });
      expect((await second.begin(session)).ended_at).toBeNull();
      expect((await second.addTask(session, { code: "2" })).task_id).toBe("task_002");
      expect((await second.begin()).session_id).toBe("session_002");
      expect((await second.list()).map(({ session_id }) => session_id).sort()).toEqual([
        "session_001",
        "session_002",
      ]);
      expect((await first.current())?.session_id).toBe("session_002");
    });

    it("lose no task if two stores add tasks concurrently", async () => {
      const { store, openAgain } = await open();
      const [one, other] = [store, await openAgain()];
      const logs = [(await one.openWorkspace("a")).sessions, (await other.openWorkspace("a")).sessions];
      await logs[0]?.begin("s");
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => logs[at % 2]?.addTask("s", { code: String(at) })),
      );
      const { tasks } = (await logs[0]?.read("s")) ?? { tasks: [] };
      expect(new Set(tasks.map(({ code }) => code)).size).toBe(20);
      expect(new Set(tasks.map(({ task_id }) => task_id)).size).toBe(20);
    });

    it("shorten a long output and say by how much", async () => {
      const { store } = await open();
      const { sessions } = await store.openWorkspace("ada");
      await sessions.begin("s");
      const task = await sessions.addTask("s", { code: "1", output: "x".repeat(70_000) });
      expect(task.output.length).toBeLessThan(66_000);
      expect(task.output).toMatch(/\n\.\.\. 4464 characters left out$/);
    });

    it("are removed with everything they hold, and start again from nothing", async () => {
      const { store } = await open();
      const { sessions } = await store.openWorkspace("ada");
      expect(await sessions.remove("import")).toBe(false);
      await sessions.begin("import");
      await sessions.addTask("import", { code: "return 1" });
      expect(await sessions.remove("import")).toBe(true);
      expect(await sessions.list()).toEqual([]);
      await expect(sessions.read("import")).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      expect((await sessions.begin("import")).tasks).toEqual([]);
    });

    it("that are unknown or have an invalid name are reported", async () => {
      const { store } = await open();
      const { sessions } = await store.openWorkspace("ada");
      await expect(sessions.read("none")).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      await expect(sessions.addTask("none", { code: "" })).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      for (const name of ["../x", "a/b", "", "current_session"])
        await expect(sessions.begin(name)).rejects.toMatchObject({ code: "NAME_INVALID" });
      expect(await sessions.current()).toBeUndefined();
    });
  });
};

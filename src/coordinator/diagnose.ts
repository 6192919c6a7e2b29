// Looks at everything a program depends on: the configuration, each server, each sandbox with a real self-test.
import { toCoordinatorError } from "../contracts/index.js";
import { selfTest } from "../executors/index.js";
import type { Diagnosis, ExecutorDiagnosis } from "./coordinator.js";
import { listServers } from "./list-servers.js";
import type { Rooms } from "./rooms.js";

export const diagnose = async (rooms: Rooms): Promise<Diagnosis> => {
  const { configuration, executors } = rooms;
  const servers = await listServers(rooms, { connect: true });
  const sandboxes: ExecutorDiagnosis[] = [];
  // One after the other: a self-test that spins must not slow another one down.
  for (const { executor, report } of await executors.inspect()) {
    const checks = report.isAvailable
      ? await selfTest(executor, configuration.settings.limits).catch(
          (thrown: unknown) => toCoordinatorError(thrown).message,
        )
      : [];
    sandboxes.push({
      name: executor.name,
      languages: executor.languages,
      ...(await executor.inspect()),
      ...(typeof checks === "string" ? { isAvailable: false, reason: checks, checks: [] } : { checks }),
    });
  }
  const chosen = await Promise.all(
    (["typescript", "python"] as const).map(async (language) => {
      try {
        const { executor, reason } = await executors.choose(language);
        return { language, executor: executor.name, reason };
      } catch (thrown) {
        return { language, reason: toCoordinatorError(thrown).message };
      }
    }),
  );
  const isHealthy =
    servers.every(({ status }) => status !== "failed") &&
    chosen.some(({ language, executor }) => language === "typescript" && executor !== undefined) &&
    sandboxes.every(({ checks }) => checks.every(({ isPassed }) => isPassed));
  return {
    isHealthy,
    node: process.versions.node,
    sources: configuration.sources,
    servers,
    sandboxes,
    chosen,
  };
};

// One process of the example: restores the session, runs the next program, saves a checkpoint.
import { readFileSync } from "node:fs";
import { openCoordinator } from "mcp-coordinator";

const session = "quarterly-report";
const [step] = process.argv.slice(2);
const coordinator = await openCoordinator({ config: "mcp.json" });
try {
  const { log, replayed } =
    step === "collect" ? { log: undefined, replayed: 0 } : await coordinator.resumeSession({ session });
  const result = await coordinator.runCode({
    code: readFileSync(`${step}.ts`, "utf8"),
    session,
    description: step,
  });
  await coordinator.saveCheckpoint({ session, step, context: result.value ?? null });
  console.log(
    JSON.stringify({
      before: log?.checkpoint?.step ?? null,
      replayed,
      calls: result.calls.length,
      value: result.value,
      error: result.error?.message,
    }),
  );
} finally {
  await coordinator.close();
}

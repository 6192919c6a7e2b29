// A process for one engine and one measurement, so that a crash affects nothing else. Arguments: engine, language, work.

import { toPackageDoors } from "../../scripts/install-packages.mjs";
import { attempt } from "./attempt.mjs";
import { behaviors, limits } from "./behaviors.mjs";
import { others } from "./engines/others.mjs";
import { openOurs } from "./engines/ours.mjs";
import { measureSpeed } from "./measure-speed.mjs";

const [engineName, language, work] = process.argv.slice(2);
const engine = others.find(({ name }) => name === engineName);
const open = (wanted) =>
  engine === undefined
    ? openOurs(engineName, language, wanted)
    : engine.open({ limits: wanted, ...toPackageDoors(engine.packages) });
const report = (facts) => new Promise((sent) => process.send(facts, sent));

if (work === "speed") {
  const sandbox = await open({ timeoutMs: 60_000, memoryMb: 256, outputBytes: limits.outputBytes });
  await measureSpeed(sandbox, language, report);
  await sandbox.close();
} else {
  const behavior = behaviors.find(({ name }) => name === work);
  const sandbox = await open({ ...limits, ...behavior.limits });
  await attempt(sandbox, behavior, language, report);
  await sandbox.close();
}
// What an engine does to its process after this does not matter.
await report({ isFinished: true });
process.exit(0);

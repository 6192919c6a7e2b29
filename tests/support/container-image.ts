// Whether containers run on this machine, with the image that the tests use; built once, from what the machine has.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { defaultLimits, type Language } from "../../src/contracts/index.js";
import { openContainerExecutor } from "../../src/executors/engines/container/container.js";
import { findRuntime } from "../../src/executors/engines/container/container-runtime.js";
import { builtImage } from "../../src/executors/engines/container/plan-containers.js";
import { buildImage } from "../../src/executors/engines/container/set-up-container.js";
import { findInterpreter } from "../../src/executors/engines/python/interpreter.js";

/** Debian's own interpreter has the data libraries where they are installed as packages. */
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

const inspectHere = async (language: Language): Promise<string | undefined> => {
  const executor = openContainerExecutor({ limits: defaultLimits });
  const { isAvailable, reason, languages = executor.languages } = await executor.inspect();
  await executor.close();
  return languages.includes(language) && isAvailable ? undefined : reason;
};

/** Why no container can be started here, or nothing when one can. */
export const findContainerObstacle = async (
  language: Language = "typescript",
): Promise<string | undefined> => {
  const reason = await inspectHere(language);
  if (reason === undefined || !reason.includes("there is no image")) return reason;
  const { command } = await findRuntime();
  await buildImage({ command, image: builtImage, python: await findInterpreter({ interpreter: python }) });
  return inspectHere(language);
};

/** Our containers that exist now. */
export const listOwnContainers = (command = "podman"): readonly string[] =>
  execFileSync(command, ["ps", "-a", "--filter", "label=mcp-coordinator=guest", "--format", "{{.Names}}"], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((name) => name !== "");

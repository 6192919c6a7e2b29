// Makes what a sandbox needs and cannot bring along: a Python environment with data libraries, a container image.
import { buildImage, createPythonEnvironment } from "../executors/index.js";
import type { SetUpRequest, SetUpResult } from "./coordinator.js";
import type { Rooms } from "./opening/rooms.js";

export const setUpSandbox = async (
  rooms: Rooms,
  { sandbox, onStep, signal }: SetUpRequest,
): Promise<SetUpResult> => {
  if (sandbox === "container") {
    onStep?.("Building the image from the programs of this machine");
    const { interpreter } = rooms.configuration.settings.python;
    const { image, node, python } = await buildImage(
      interpreter === undefined ? {} : { python: interpreter },
    );
    return { made: image, holds: [`Node ${node}`, ...(python === undefined ? [] : [`Python ${python}`])] };
  }
  const interpreter = await createPythonEnvironment({
    ...(onStep === undefined ? {} : { say: onStep }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { made: interpreter, holds: ["numpy", "pandas", "scikit-learn"] };
};

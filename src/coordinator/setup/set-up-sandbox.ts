// Installs what a sandbox needs but cannot ship: a Python environment with data libraries, or a container image.
import { CoordinatorError } from "../../contracts/index.js";
import { setUpContainer, setUpPython } from "../../executors/index.js";
import type { Host } from "../host/host.js";

/** The sandbox whose needs are installed. */
export interface SetUpRequest {
  readonly sandbox: "python" | "container";
  /** Called with lines of progress. */
  readonly onStep?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `setUpSandbox` installed, and what is left to do. */
export interface SetUpResult {
  /** The interpreter or image. */
  readonly made: string;
  /** What the self-test found inside, with versions. */
  readonly holds: readonly string[];
  /** The remaining steps. */
  readonly notes?: readonly string[] | undefined;
}

export const setUpSandbox = async (
  host: Host,
  { sandbox, onStep, signal }: SetUpRequest,
): Promise<SetUpResult> => {
  const { limits, python, container } = host.configuration.settings;
  const { interpreter } = python;
  if (sandbox === "python") {
    const result = await setUpPython({ limits, interpreter, say: onStep, signal });
    if (interpreter === undefined || result.made.startsWith(interpreter)) return result;
    const note = `The setting "python.interpreter" names "${interpreter}": remove it so that programs use the new environment.`;
    return { ...result, notes: [note] };
  }
  const { image } = container;
  if (image !== undefined)
    throw new CoordinatorError(
      "CONFIG_INVALID",
      `Cannot build an image: the setting "container.image" names "${image}", which is used as is`,
      {
        hint: 'Remove the setting to use an image of this machine\'s programs; "doctor" tries the one it names.',
      },
    );
  return setUpContainer({ ...container, limits, interpreter, say: onStep });
};

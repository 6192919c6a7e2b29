// Opens the sandbox that a configuration asks for.
import type { Configuration, Executor } from "../contracts/index.js";
import { openIsolateExecutor } from "../executors/index.js";

export const openExecutor = ({ settings }: Configuration): Executor =>
  openIsolateExecutor({ limits: settings.limits });

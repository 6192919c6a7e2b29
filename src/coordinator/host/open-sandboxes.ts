// Opens the sandboxes of a configuration without starting any.
import type { Configuration } from "../../contracts/index.js";
import { type Executors, openExecutors } from "../../executors/index.js";

export const openSandboxes = ({ settings }: Configuration): Executors =>
  openExecutors({ limits: settings.limits, settings });

// Opens the sandboxes that a configuration asks for. Nothing is started yet.
import type { Configuration } from "../../contracts/index.js";
import { type Executors, openExecutors } from "../../executors/index.js";

export const openSandboxes = ({ settings }: Configuration): Executors =>
  openExecutors({ limits: settings.limits, settings });

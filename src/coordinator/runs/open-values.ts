// Opens the stored values of a run's workspace on first use.
import type { KeptValues } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toWorkspaceRules } from "../workspaces/open-workspace.js";

/** Throws NAME_INVALID when opened. */
export const openValues =
  (host: Host, workspace?: string): (() => Promise<KeptValues>) =>
  async () =>
    (await toWorkspaceRules(host, workspace === undefined ? {} : { workspace }).open()).kept;

// The values that a run keeps are those of its workspace: opened when the first is kept or asked for.
import type { KeptValues } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toWorkspaceRules } from "../workspaces/open-workspace.js";

/** Throws NAME_INVALID when it is opened. */
export const openKept =
  (host: Host, workspace?: string): (() => Promise<KeptValues>) =>
  async () =>
    (await toWorkspaceRules(host, workspace === undefined ? {} : { workspace }).open()).kept;

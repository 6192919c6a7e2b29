// Durable data of all workspaces: plain files by default, or anything that passes the contract suite.

import type { Runs } from "./runs.js";
import type { SessionLogs } from "./session-log.js";
import type { StoredValues } from "./stored-values.js";
import type { Memory, States, WorkspaceFiles } from "./workspace.js";

/** Everything that runs of one workspace share, separate from every other workspace. */
export interface Workspace {
  readonly name: string;
  readonly files: WorkspaceFiles;
  readonly memory: Memory;
  readonly states: States;
  readonly sessions: SessionLogs;
  readonly runs: Runs;
  readonly storedValues: StoredValues;
}

export interface WorkspaceSummary {
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

/** A workspace whose changes do not last. */
export interface WorkspaceCopy {
  readonly workspace: Workspace;
  readonly remove: () => Promise<void>;
}

/** Where workspaces are stored. Throws NAME_INVALID for an invalid name. */
export interface Store {
  /** Opens a workspace. The first use creates it. */
  readonly openWorkspace: (name: string) => Promise<Workspace>;
  /** Copies the files, memory and states of a workspace. What is changed in the copy is gone with it. */
  readonly copyWorkspace: (name: string) => Promise<WorkspaceCopy>;
  /** Sorted by name. */
  readonly listWorkspaces: () => Promise<readonly WorkspaceSummary[]>;
  /** Removes a workspace with everything in it; false if there is none. Throws RUN_BUSY while one of its runs is in progress. */
  readonly removeWorkspace: (name: string) => Promise<boolean>;
  /** Removes workspaces unused since then, and returns their names. One with a run in progress stays. */
  readonly removeInactive: (options: { readonly since: Date }) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

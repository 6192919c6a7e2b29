// A real workspace behind the bridge, for tests that run guests without a coordinator.
import { openWorkspaceFunctions } from "../../src/bridge/workspace.js";
import {
  defaultLimits,
  type GuestAnswer,
  type GuestCall,
  type Limits,
  type Store,
  workspaceNames,
  workspaceServer,
} from "../../src/contracts/index.js";
import { openStore, toWorkspacePath } from "../../src/store/index.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface WorkspaceHost {
  readonly folder: string;
  readonly store: Store;
  /** Undefined when the call is not for the workspace. */
  readonly answer: (call: GuestCall) => Promise<GuestAnswer> | undefined;
  /** The same for one function, with plain values and a plain answer; throws on failure. */
  readonly ask: (tool: string, ...values: unknown[]) => Promise<unknown>;
  readonly close: () => void;
}

export const openWorkspaceHost = async (
  limits: Partial<Limits> = {},
  customer = "ada",
): Promise<WorkspaceHost> => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, limits: { ...defaultLimits, ...limits } });
  const service = openWorkspaceFunctions(
    { open: () => store.openWorkspace(customer), toPath: toWorkspacePath },
    defaultLimits,
  );
  return {
    folder,
    store,
    answer: ({ server, tool, argumentsJson }) =>
      server === workspaceServer ? service.answer(tool, argumentsJson) : undefined,
    ask: async (tool, ...values) => {
      const answer = await service.answer(tool, JSON.stringify(values));
      if (answer.status === "answered") return JSON.parse(answer.body) as unknown;
      throw Object.assign(new Error(answer.message), { code: answer.code });
    },
    close: service.close,
  };
};

/** The globals of a run whose program uses every part of the workspace. */
export const workspaceGlobals: Readonly<Record<string, string>> = Object.fromEntries(
  [...workspaceNames.typescript, ...workspaceNames.python].map((name) => [name, workspaceServer]),
);

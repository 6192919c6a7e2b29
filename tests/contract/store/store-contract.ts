// The contract of every store. An implementation passes in how to open it.
import { describe } from "vitest";
import type { Limits, Store } from "../../../src/contracts/index.js";
import { describeFiles } from "./files-contract.js";
import { describeMemory } from "./memory-contract.js";
import { describeRuns } from "./runs-contract.js";
import { describeSessions } from "./sessions-contract.js";
import { describeStoredValues } from "./stored-values-contract.js";
import { describeWorkspaces } from "./workspaces-contract.js";

export interface StoreUnderTest {
  readonly store: Store;
  /** The same data through a second opening, as another process would have it. */
  readonly openAgain: () => Promise<Store>;
}

/** Opens an empty store for one test; it cleans up after itself. */
export type OpenStore = (limits?: Partial<Limits>) => Promise<StoreUnderTest>;

export const describeStore = (name: string, open: OpenStore): void => {
  describe(name, () => {
    describeWorkspaces(open);
    describeFiles(open);
    describeMemory(open);
    describeSessions(open);
    describeRuns(open);
    describeStoredValues(open);
  });
};

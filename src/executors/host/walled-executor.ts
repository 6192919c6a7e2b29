// An executor whose guests live in a Node process behind operating system walls: a pool, and a report of the walls in force.
import type { Executor, ExecutorReport, Language } from "../../contracts/index.js";
import { toCoordinatorError } from "../../contracts/index.js";
import type { WalledNode } from "../walls/walled-node.js";
import { openPooledExecutor, type PooledExecutorOptions } from "./process-executor.js";

export interface WalledExecutorOptions
  extends Omit<PooledExecutorOptions<Language>, "inspect" | "kindOf" | "openChannel"> {
  /** Starts a process. Throws SANDBOX_UNAVAILABLE if its engine is not installed. */
  readonly openNode: () => WalledNode;
  /** @default the node's own start */
  readonly openChannel?: PooledExecutorOptions<Language>["openChannel"] | undefined;
  /** The wall that the engine itself provides. */
  readonly engineWall: string;
  /** What the engine does not stop. */
  readonly engineGaps: readonly string[];
  readonly missingLibraries?: ExecutorReport["missingLibraries"] | undefined;
}

/** No process is started before `warm` or the first run. */
export const openWalledExecutor = (options: WalledExecutorOptions): Executor => {
  const { openNode, engineWall, engineGaps, missingLibraries, ...pooled } = options;
  const inspect = async (): Promise<ExecutorReport> => {
    try {
      const { walls, gaps, ...lacks } = openNode().describe();
      return {
        isAvailable: true,
        walls: [engineWall, ...walls],
        gaps: [...gaps, ...engineGaps],
        missingLibraries,
        ...lacks,
      };
    } catch (thrown) {
      const { message, hint } = toCoordinatorError(thrown);
      return { isAvailable: false, reason: message, fix: hint, walls: [], gaps: [] };
    }
  };
  return {
    ...openPooledExecutor({
      kindOf: ({ language }) => language,
      ...pooled,
      openChannel: pooled.openChannel ?? (() => openNode().start()),
      inspect,
    }),
    // Not cached: the first start tells more than can be known before it.
    inspect,
  };
};

/** What no engine of ours in such a process can stop. */
export const sharedGaps: readonly string[] = ["timing side channels between runs on one machine"];

/** For engines with a soft memory limit. */
export const memoryGap =
  "memory beyond the engine's own limit is checked every 50 ms, not capped by the kernel";

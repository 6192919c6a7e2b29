// The default TypeScript sandbox: a fresh V8 isolate for each run, in a child process that can read nothing and start nothing.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, Limits } from "../../contracts/index.js";
import { memoryGap, openWalledExecutor, sharedGaps } from "../host/walled-executor.js";
import { openWalledNode, type WalledNode } from "../walls/walled-node.js";
import type { WantedWalls } from "../walls/walls.js";
import { findEngine } from "./find-isolate.js";
import { findUrlModule } from "./find-packages.js";

export interface IsolateExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": all that this machine offers */
  readonly walls?: WantedWalls | undefined;
  /** Generates no machine code from programs: slower, but compiler bugs are out of reach. @default false */
  readonly jitless?: boolean | undefined;
}

const childFile = fileURLToPath(new URL("../guests/typescript/isolate-child.mjs", import.meta.url));
const executorsFolder = dirname(dirname(dirname(childFile)));

const flags = [
  // The engine cannot create isolates next to Node's own startup snapshot.
  "--no-node-snapshot",
  // A separate hash seed costs a tenth of an isolate's creation; a program that floods a table slows only itself.
  "--no-rehash-snapshot",
  // The process itself creates few long-lived objects: a large nursery would only fill with garbage.
  "--max-semi-space-size=1",
];

/** No process is started before `warm` or the first run. */
export const openIsolateExecutor = ({
  limits,
  walls = "auto",
  jitless = false,
}: IsolateExecutorOptions): Executor => {
  let node: WalledNode | undefined;
  const openNode = (): WalledNode => {
    const addon = findEngine();
    const urlModule = findUrlModule();
    return openWalledNode({
      walls,
      isJitless: jitless,
      flags,
      file: childFile,
      readable: [`${executorsFolder}/`, addon, urlModule],
      args: [addon, String(limits.memoryMb), urlModule],
    });
  };
  const nodeOf = (): WalledNode => {
    node ??= openNode();
    return node;
  };
  return openWalledExecutor({
    name: "isolate",
    languages: ["typescript"],
    limits,
    openNode: nodeOf,
    engineWall: "V8 isolate",
    engineGaps: [...sharedGaps, memoryGap],
  });
};

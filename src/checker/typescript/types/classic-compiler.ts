// The classic TypeScript compiler, for platforms without a native one: slower and larger, same contract.
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import {
  type CompileOptions,
  type Compiler,
  type CompilerMessage,
  configuration,
  paths,
  toCompiler,
} from "./compiler.js";

/** Package name it is installed under: `npm install typescript-classic@npm:typescript@5`. */
const packageName = "typescript-classic";
const maxMemoryMb = 512;

/** The path of the classic compiler; undefined if it is not installed. */
export const findClassicCompiler = (): { readonly module: string; readonly version: string } | undefined => {
  try {
    const require = createRequire(import.meta.url);
    const { version } = require(`${packageName}/package.json`) as { version: string };
    return { module: require.resolve(packageName), version };
  } catch {
    return undefined;
  }
};

interface Session {
  readonly worker: Worker;
  /** Files that the worker already has. A name always means the same text, except for files reported as changed. */
  readonly sent: Set<string>;
  /** The pending request. */
  settle?:
    | {
        readonly resolve: (messages: readonly CompilerMessage[]) => void;
        readonly reject: (error: Error) => void;
      }
    | undefined;
}

const startSession = (module: string): Session => {
  const worker = new Worker(new URL("./classic-worker.mjs", import.meta.url), {
    workerData: { module, program: paths.program, configuration },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const session: Session = { worker, sent: new Set() };
  worker.on("message", (messages: readonly CompilerMessage[]) => session.settle?.resolve(messages));
  worker.on("error", (error) =>
    session.settle?.reject(error instanceof Error ? error : new Error(String(error))),
  );
  worker.on("exit", () => session.settle?.reject(new Error("the compiler exited")));
  return session;
};

export const openClassicCompiler = (found: {
  readonly module: string;
  readonly version: string;
}): Compiler => {
  let session: Session | undefined;

  const drop = (): void => {
    void session?.worker.terminate();
    session = undefined;
  };

  const compile = async ({ files, changed }: CompileOptions): Promise<readonly CompilerMessage[]> => {
    session ??= startSession(found.module);
    const current = session;
    const wanted = [...files.paths()].filter((path) => !current.sent.has(path) || changed.includes(path));
    for (const path of wanted) current.sent.add(path);
    current.worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        current.settle = { resolve, reject };
        current.worker.postMessage(wanted.map((path) => [path, files.read(path)]));
      });
    } finally {
      current.worker.unref();
    }
  };

  return toCompiler({ compile, drop });
};

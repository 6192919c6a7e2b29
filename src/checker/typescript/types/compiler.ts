// The contract of a compiler: takes files, returns the messages about one of them. The classic TypeScript compiler, for platforms without a native one.
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** A compiler message with its position; `chain` holds the underlying reasons. */
export interface CompilerMessage {
  readonly code: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly chain: readonly string[];
}

/** The files that a compiler sees, by path. There are no others. */
export interface CompilerFiles {
  readonly read: (path: string) => string | undefined;
  readonly paths: () => Iterable<string>;
}

export interface CompileOptions {
  readonly files: CompilerFiles;
  /** Files whose text changed since the last compilation. */
  readonly changed: readonly string[];
  readonly timeoutMs: number;
}

/** A warm compiler. It stays usable after a failed compilation: a broken process is restarted. */
export interface Compiler {
  /** Compiles the program and returns the messages about it. Throws if it times out or dies. */
  readonly compile: (options: CompileOptions) => Promise<readonly CompilerMessage[]>;
  readonly close: () => void;
}

/** Runs one compilation at a time, each within its time limit. A failed one drops the process. */
export const toCompiler = ({
  compile,
  drop,
}: {
  readonly compile: Compiler["compile"];
  readonly drop: (reason: string) => void;
}): Compiler => {
  let queue: Promise<unknown> = Promise.resolve();
  const compileInTime: Compiler["compile"] = async (options) => {
    let late: NodeJS.Timeout | undefined;
    const inTime = new Promise<never>((_resolve, reject) => {
      late = setTimeout(
        () => reject(new Error(`no answer within ${options.timeoutMs} ms`)),
        options.timeoutMs,
      );
    });
    try {
      return await Promise.race([compile(options), inTime]);
    } catch (error) {
      drop(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      clearTimeout(late);
    }
  };
  return {
    compile: (options) => {
      const next = queue.then(() => compileInTime(options));
      queue = next.catch(() => undefined);
      return next;
    },
    close: () => drop("closed"),
  };
};

/** Paths in the compiler's virtual file system. */
export const paths = {
  folder: "/program",
  configuration: "/program/tsconfig.json",
  program: "/program/program.ts",
  world: "/program/world.d.ts",
  variant: "/program/variant.ts",
} as const;

/**
 * Loose where strictness would refuse programs that run: nullable values, implicit any, callbacks with narrower
 * parameters. Certain failures are found anyway.
 */
export const configuration = JSON.stringify({
  compilerOptions: {
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    lib: ["esnext"],
    types: [],
    strict: false,
    noEmit: true,
    skipLibCheck: true,
    noErrorTruncation: true,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
  },
  files: ["program.ts", "world.d.ts"],
});

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

export const openClassicCompiler = ({ module }: { readonly module: string }): Compiler => {
  let session: Session | undefined;

  const drop = (): void => {
    void session?.worker.terminate();
    session = undefined;
  };

  const compile = async ({ files, changed }: CompileOptions): Promise<readonly CompilerMessage[]> => {
    session ??= startSession(module);
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

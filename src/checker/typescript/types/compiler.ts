// The contract of a compiler: takes files, returns the messages about one of them.

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

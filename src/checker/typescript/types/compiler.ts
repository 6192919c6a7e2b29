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

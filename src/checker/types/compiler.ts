// The contract of a compiler: files in, what it says of one of them out.

/** What a compiler says of a place; `chain` holds the reasons below it. */
export interface CompilerMessage {
  readonly code: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly chain: readonly string[];
}

/** The files a compiler sees, by path; there are no others. */
export interface CompilerFiles {
  readonly read: (path: string) => string | undefined;
  readonly paths: () => Iterable<string>;
}

export interface CompileOptions {
  readonly files: CompilerFiles;
  /** Files whose text is another one since the last time. */
  readonly changed: readonly string[];
  readonly timeoutMs: number;
}

/** A compiler that is kept warm. A failed compile leaves it usable: what was broken is started again. */
export interface Compiler {
  /** What it says of the program. Throws when it does not answer in time or dies. */
  readonly compile: (options: CompileOptions) => Promise<readonly CompilerMessage[]>;
  readonly close: () => void;
}

/** Where things are in the compiler's world. */
export const paths = {
  folder: "/program",
  configuration: "/program/tsconfig.json",
  program: "/program/program.ts",
  world: "/program/world.d.ts",
  variant: "/program/variant.ts",
} as const;

/**
 * Loose where strictness would refuse programs that run: values that may be null, implicit any, callbacks with narrower
 * parameters. What is certain to fail is found all the same.
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

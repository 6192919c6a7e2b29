// Types of the server "hostile-texts", generated: do not edit.

/** *\/ */
export type ReadAlert1X1ExportTypeY = string;

export type ReadAlert1Arguments = {
  /**
   * *\/ }; export const b = 1; /*
   * Default: "*\/\n\@ts-ignore".
   */
  a?: string;
  /** Format: *\/ x. Pattern: ^*\/$. */
  b?: string;
  "c*/"?: "*/" | "\"; export const d = 1; \"" | "`${1}`" | "\\" | "\u{2028}" | "\u{202e}" | "\u{200b}" | "a\nb" | "</script>";
  "d\u{202e}"?: number;
  /** long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long… */
  e?: string;
  f?: ReadAlert1X1ExportTypeY;
};

/**
 * Ends *\/ export const stolen = 1; /* starts
 * \@ts-nocheck
 *   \@ts-expect-error
 * \@deprecated `${process.exit()}`
 * export const broken = 1;
 * *\/ joined reversed[31m red
 *
 * // \@ts-ignore  tab 🎉
 */
export declare function readAlert1(args?: ReadAlert1Arguments): Promise<unknown>;
export { readAlert1 as "read*/ alert(1) /*" };

export type XArguments = { [key: string]: never };

export type XResult = {
  y?: "*/";
};

/** *\/ */
export declare function x(args?: XArguments): Promise<XResult>;

declare const server: {
  readonly readAlert1: typeof readAlert1;
  readonly "read*/ alert(1) /*": typeof readAlert1;
  readonly x: typeof x;
};
export default server;

// Types of the server "maps-and-tuples", generated: do not edit.

export type FillArguments = {
  headers?: { [key: string]: string };
  anything?: { [key: string]: unknown };
  empty?: { [key: string]: never };
  open?: {
    id: string;
    [key: string]: unknown;
  };
  scores?: {
    name?: string;
    [key: string]: number | string | undefined;
  };
  nestedScores?: {
    who?: {
      name?: string;
    };
    [key: string]: unknown;
  };
  byPattern?: { [key: string]: number | string };
  point?: [number, number];
  /** Items: 2. */
  oldPoint?: [number, number];
  /** Items: at least 1. */
  "open tuple"?: [string, ("a" | "b")?, ...(number | null)[]];
  grid?: (number | null)[][];
};

export declare function fill(args?: FillArguments): Promise<unknown>;

declare const server: {
  readonly fill: typeof fill;
};
export default server;

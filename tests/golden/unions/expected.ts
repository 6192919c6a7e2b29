// Types of the server "unions", generated: do not edit.

export type CombineArguments = {
  any?: string | number | null;
  one?: {
    kind: "card";
    number: string;
  } | {
    kind: "cash";
  };
  all?: {
    a: string;
    b?: number;
  };
  overlapping?: {
    id?: string | number;
  } & {
    id: string;
  };
  /** By a list of types */
  types?: string | number | null;
  nullable?: string | null;
  mixed?: "a" | 1 | -2.5 | true | null;
  constant?: false;
  list?: (string | number[])[];
  bounded?: string;
  base?: {
    x?: number;
  } & ({
    y: number;
  } | {
    z: number;
  });
};

export declare function combine(args?: CombineArguments): Promise<unknown>;

export type ChooseArguments = {
  id: string;
} | {
  all?: true;
};

export type ChooseResult = {
  found?: string[] | null;
};

export declare function choose(args?: ChooseArguments): Promise<ChooseResult>;

declare const server: {
  readonly combine: typeof combine;
  readonly choose: typeof choose;
};
export default server;

// Types of the server "degraded", generated: do not edit.

export type FineArguments = {
  a?: string;
};

export declare function fine(args?: FineArguments): Promise<unknown>;

export type NotASchemaArguments = { [key: string]: unknown };

export declare function notASchema(args?: NotASchemaArguments): Promise<unknown>;
export { notASchema as not_a_schema };

export type AListArguments = { [key: string]: unknown };

export declare function aList(args?: AListArguments): Promise<unknown>;
export { aList as a_list };

export type NotAnObjectArguments = { [key: string]: unknown };

export declare function notAnObject(args?: NotAnObjectArguments): Promise<unknown>;
export { notAnObject as not_an_object };

export type AlwaysArguments = { [key: string]: unknown };

export type AlwaysResult = unknown;

export declare function always(args?: AlwaysArguments): Promise<AlwaysResult>;

export type NeverArguments = { [key: string]: unknown };

export type NeverResult = never;

export declare function never(args?: NeverArguments): Promise<NeverResult>;

export type IsItselfArguments = { [key: string]: unknown };

export declare function isItself(args?: IsItselfArguments): Promise<unknown>;
export { isItself as is_itself };

export type LoopsA = unknown;

export type LoopsB = unknown;

export type LoopsArguments = {
  a?: LoopsA;
};

export declare function loops(args?: LoopsArguments): Promise<unknown>;

export type PartsArguments = {
  /** Anything */
  noType?: unknown;
  anything?: unknown;
  nothing?: never;
  emptyEnum?: never;
  strangeType?: unknown;
  noItems?: unknown[];
  remote?: unknown;
  nowhere?: unknown;
  inherited?: unknown;
  literalObject?: unknown;
  badProperties?: { [key: string]: unknown };
  badUnion?: unknown;
  number?: unknown;
  null?: unknown;
  undeclared: unknown;
};

export declare function parts(args: PartsArguments): Promise<unknown>;

declare const server: {
  readonly fine: typeof fine;
  readonly notASchema: typeof notASchema;
  readonly not_a_schema: typeof notASchema;
  readonly aList: typeof aList;
  readonly a_list: typeof aList;
  readonly notAnObject: typeof notAnObject;
  readonly not_an_object: typeof notAnObject;
  readonly always: typeof always;
  readonly never: typeof never;
  readonly isItself: typeof isItself;
  readonly is_itself: typeof isItself;
  readonly loops: typeof loops;
  readonly parts: typeof parts;
};
export default server;

// Types of the server "names", generated: do not edit.

export type GetSchemaArguments = { [key: string]: never };

export declare function getSchema(args?: GetSchemaArguments): Promise<unknown>;
export { getSchema as "get-schema" };

export type GetSchema2Arguments = { [key: string]: never };

export declare function getSchema2(args?: GetSchema2Arguments): Promise<unknown>;
export { getSchema2 as "get.schema" };

export type _1stArguments = { [key: string]: never };

export declare function _1st(args?: _1stArguments): Promise<unknown>;
export { _1st as "1st" };

export type Class_Arguments = { [key: string]: never };

export declare function class_(args?: Class_Arguments): Promise<unknown>;
export { class_ as class };

export type Default_Arguments = { [key: string]: never };

export declare function default_(args?: Default_Arguments): Promise<unknown>;

export type Then_Arguments = { [key: string]: never };

export declare function then_(args?: Then_Arguments): Promise<unknown>;

export type ServerArguments = { [key: string]: never };

export declare function server(args?: ServerArguments): Promise<unknown>;

export type 获取数据Arguments = { [key: string]: never };

export declare function 获取数据(args?: 获取数据Arguments): Promise<unknown>;

export type Tool2Arguments = { [key: string]: never };

export declare function tool2(args?: Tool2Arguments): Promise<unknown>;
export { tool2 as "🎉" };

export type ToolArguments = { [key: string]: never };

export declare function tool(args?: ToolArguments): Promise<unknown>;
export { tool as "" };

export type PromisePromise = {
  a?: Promise12;
};

export type Promise12 = string;

export type PromiseArguments = PromisePromise;

export declare function promise(args?: PromiseArguments): Promise<unknown>;

export type FieldsArguments = {
  "1"?: string;
  "content-type"?: string;
  "a b"?: string;
  class?: string;
  new: string;
  get: string;
  readonly?: string;
  constructor?: string;
  __proto__?: string;
  ""?: string;
  $and?: string;
  "größe"?: string;
  "quote\"d"?: string;
  "line\nbreak"?: string;
};

export declare function fields(args: FieldsArguments): Promise<unknown>;

declare const server2: {
  readonly getSchema: typeof getSchema;
  readonly "get-schema": typeof getSchema;
  readonly getSchema2: typeof getSchema2;
  readonly "get.schema": typeof getSchema2;
  readonly _1st: typeof _1st;
  readonly "1st": typeof _1st;
  readonly class_: typeof class_;
  readonly class: typeof class_;
  readonly default_: typeof default_;
  readonly then_: typeof then_;
  readonly server: typeof server;
  readonly "获取数据": typeof 获取数据;
  readonly tool2: typeof tool2;
  readonly "🎉": typeof tool2;
  readonly tool: typeof tool;
  readonly "": typeof tool;
  readonly promise: typeof promise;
  readonly fields: typeof fields;
};
export default server2;

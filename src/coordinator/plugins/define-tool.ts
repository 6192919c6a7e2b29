// Types of a tool that is registered in code: what its schemas say is what its function is given, and may answer.
import type {
  HostTool,
  HostToolResult,
  JsonObject,
  StandardSchema,
  ToolContext,
} from "../../contracts/index.js";

type Types<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>;

type Returned<Output> = Output extends StandardSchema ? Types<Output>["input"] | HostToolResult : unknown;

interface TypedTool<Input, Arguments, Output> extends Omit<HostTool, "input" | "output" | "run"> {
  readonly output?: Output | undefined;
  readonly run: (
    this: void,
    given: Arguments,
    context: ToolContext,
  ) => Returned<Output> | Promise<Returned<Output>>;
  readonly input?: Input | undefined;
}

/** A JSON Schema, which says nothing of types: the function's parameter does. */
interface PlainSchema {
  readonly "~standard"?: undefined;
  readonly [keyword: string]: unknown;
}

/** A tool whose function takes what its schema makes of the arguments. It is the same object: only its types are found out. */
export function defineTool<Input extends StandardSchema, Output = undefined>(
  tool: TypedTool<Input, Types<Input>["output"], Output> & { readonly input: Input },
): HostTool;
export function defineTool<Arguments = JsonObject, Output = undefined>(
  tool: TypedTool<PlainSchema, Arguments, Output>,
): HostTool;
export function defineTool(tool: object): HostTool {
  return tool as HostTool;
}

// Infers the argument and result types of a tool registered in code from its schemas.
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

/** A plain JSON Schema carries no types. The function's parameter decides. */
interface PlainSchema {
  readonly "~standard"?: undefined;
  readonly [keyword: string]: unknown;
}

/** Returns the same tool, typed by its schema. */
export function defineTool<Input extends StandardSchema, Output = undefined>(
  tool: TypedTool<Input, Types<Input>["output"], Output> & { readonly input: Input },
): HostTool;
export function defineTool<Arguments = JsonObject, Output = undefined>(
  tool: TypedTool<PlainSchema, Arguments, Output>,
): HostTool;
export function defineTool(tool: object): HostTool {
  return tool as HostTool;
}

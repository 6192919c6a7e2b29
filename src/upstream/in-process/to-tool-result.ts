// What a function of the host answered or threw, as the MCP result that every other server would have given.
import { homedir, tmpdir } from "node:os";
import { CoordinatorError, isToolResult, type ToolResult, toJson } from "../../contracts/index.js";

const longestMessage = 20_000;

/** A JSON value as it is; content where the function said so. Throws for what is neither. */
export const toToolResult = (name: string, answer: unknown, maxBytes: number): ToolResult => {
  const whole = isToolResult(answer);
  const { value, ...refused } = { value: undefined, ...toJson(answer ?? null, maxBytes) };
  if (value === undefined) {
    const { problem, isTooLarge } = refused as { readonly problem: string; readonly isTooLarge: boolean };
    throw isTooLarge
      ? new CoordinatorError(
          "LIMIT_ANSWER",
          `Cannot take the answer of "${name}": it has more than ${maxBytes} bytes, the limit "answerBytes"`,
        )
      : new CoordinatorError(
          "RESULT_INVALID",
          `Cannot take the answer of "${name}": ${problem}, expected JSON`,
          {
            hint: "Let the function return plain values, or content by toolResult.",
          },
        );
  }
  if (whole) return value as unknown as ToolResult;
  if (value === null) return { content: [] };
  // Beside the text, so that a text that looks like JSON stays a text.
  return typeof value === "string"
    ? { content: [{ type: "text", text: value }], structuredContent: value }
    : { content: [], structuredContent: value };
};

/** The message alone: where on this machine it was thrown is no business of a program. */
export const toFailedResult = (thrown: unknown): ToolResult => ({
  content: [{ type: "text", text: readMessage(thrown) }],
  isError: true,
});

export const readMessage = (thrown: unknown): string => {
  const told = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
  const facts = (typeof thrown === "object" ? (thrown ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const named = [facts.path, facts.dest].filter((path) => typeof path === "string" && path.length > 1);
  const message = [...(named as string[])]
    .reduce((text, path) => text.replaceAll(path, "(a path of the host)"), told)
    .replace(/\n[ \t]+at [^\n]*/g, "")
    .replace(hostPaths(), "(a path of the host)")
    .trim();
  return message === "" ? "The tool failed without a message" : message.slice(0, longestMessage);
};

const hostPaths = (): RegExp => {
  const roots = [process.cwd(), homedir(), tmpdir()].filter((path) => path.length > 1);
  const escaped = roots.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // linear: fixed paths, then one run of characters that nothing has to follow
  return new RegExp(`(?:file://|${escaped.join("|")})[^\\s'"\`)]*`, "g");
};

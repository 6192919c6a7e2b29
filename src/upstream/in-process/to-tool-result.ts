// Converts what a host function returned or threw to an MCP result.
import { homedir, tmpdir } from "node:os";
import { CoordinatorError, isToolResult, type ToolResult, toJson } from "../../contracts/index.js";

const maxMessageLength = 20_000;

/** Converts a JSON value, or content created with `toolResult`. Throws for anything else. */
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
            hint: "Return plain values, or content created with toolResult.",
          },
        );
  }
  if (whole) return value as unknown as ToolResult;
  if (value === null) return { content: [] };
  // Structured content as well, so that a string that looks like JSON stays a string.
  return typeof value === "string"
    ? { content: [{ type: "text", text: value }], structuredContent: value }
    : { content: [], structuredContent: value };
};

/** The message of an error without paths of the host, which programs must not see. */
export const toFailedResult = (thrown: unknown): ToolResult => ({
  content: [{ type: "text", text: readMessage(thrown) }],
  isError: true,
});

export const readMessage = (thrown: unknown): string => {
  const original = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
  const facts = (typeof thrown === "object" ? (thrown ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const named = [facts.path, facts.dest].filter((path) => typeof path === "string" && path.length > 1);
  const message = [...(named as string[])]
    .reduce((text, path) => text.replaceAll(path, "(a path of the host)"), original)
    .replace(/\n[ \t]+at [^\n]*/g, "")
    .replace(hostPaths(), "(a path of the host)")
    .trim();
  return message === "" ? "The tool failed without a message" : message.slice(0, maxMessageLength);
};

const hostPaths = (): RegExp => {
  const roots = [process.cwd(), homedir(), tmpdir()].filter((path) => path.length > 1);
  const escaped = roots.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // linear: fixed paths, then one run of characters that nothing has to follow
  return new RegExp(`(?:file://|${escaped.join("|")})[^\\s'"\`)]*`, "g");
};

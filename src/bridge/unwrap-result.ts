// Turns an MCP result into what a program gets: structured content, then JSON in text, then text.
import type { ContentBlock, GuestAnswer, ToolResult } from "../contracts/index.js";

const looksLikeJson = /^\s*[[{]/;

/** The answer for the guest. A tool's `isError` becomes a failure with the tool's own message. */
export const unwrapResult = (result: ToolResult, isRaw: boolean): GuestAnswer => {
  if (isRaw) return answered("json", result);
  const blocks = result.content ?? [];
  if (result.isError === true)
    return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message: toErrorText(blocks) };
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return answered("json", result.structuredContent);
  const texts = blocks.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : undefined,
  );
  if (texts.includes(undefined)) return answered("json", blocks);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) {
    // Whether it is JSON is found out inside the guest: ten megabytes are not parsed here only to be passed on.
    return { status: "answered", format: looksLikeJson.test(only) ? "either" : "text", body: only };
  }
  return texts.length === 0
    ? answered("json", null)
    : { status: "answered", format: "text", body: texts.join("\n") };
};

const answered = (format: "json", value: unknown): GuestAnswer => ({
  status: "answered",
  format,
  body: JSON.stringify(value),
});

const toErrorText = (blocks: readonly ContentBlock[]): string => {
  const text = blocks
    .map((block) => block.text)
    .filter((part) => typeof part === "string")
    .join("\n")
    .trim();
  return text === "" ? "The tool reported an error without a message" : text.slice(0, 20_000);
};

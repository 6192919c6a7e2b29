// Turns an MCP result into what a program gets: structured content, then JSON in text, then text.
import {
  type ContentBlock,
  finishInSlices,
  type GuestAnswer,
  type Json,
  stringifyInSteps,
  type ToolResult,
  takeTurn,
} from "../contracts/index.js";

const looksLikeJson = /^\s*[[{]/;

/** The answer for the guest. A tool's `isError` becomes a failure with the tool's own message. */
export const unwrapResult = (result: ToolResult, isRaw: boolean): GuestAnswer => {
  if (isRaw) return answered(JSON.stringify(result));
  const blocks = result.content ?? [];
  if (result.isError === true)
    return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message: toErrorText(blocks) };
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return answered(JSON.stringify(result.structuredContent));
  return unwrapTexts(blocks) ?? answered(JSON.stringify(blocks));
};

/** The same for a result of any size: of a large one only the part that a program gets is made, in slices. */
export const unwrapAnswer = async (result: ToolResult, isRaw: boolean): Promise<GuestAnswer> => {
  const { large } = result;
  if (large === undefined) return unwrapResult(result, isRaw);
  if (isRaw) return answered(await large.readText());
  if (!large.isError && large.hasStructure) return answered(await large.readText("structuredContent"));
  const blocks = await large.readBlocks();
  await takeTurn();
  if (large.isError) return unwrapResult({ isError: true, content: blocks }, false);
  return unwrapTexts(blocks) ?? answered(await finishInSlices(stringifyInSteps(blocks as Json)));
};

/** Undefined when there is something else than texts. */
const unwrapTexts = (blocks: readonly ContentBlock[]): GuestAnswer | undefined => {
  const texts = blocks.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) {
    // Whether it is JSON is found out inside the guest: ten megabytes are not parsed here only to be passed on.
    return { status: "answered", format: looksLikeJson.test(only) ? "either" : "text", body: only };
  }
  return texts.length === 0
    ? answered("null")
    : { status: "answered", format: "text", body: texts.join("\n") };
};

const answered = (body: string): GuestAnswer => ({ status: "answered", format: "json", body });

const toErrorText = (blocks: readonly ContentBlock[]): string => {
  const text = blocks
    .map((block) => block.text)
    .filter((part) => typeof part === "string")
    .join("\n")
    .trim();
  return text === "" ? "The tool reported an error without a message" : text.slice(0, 20_000);
};

// Turns results and errors into what a program gets.
import {
  type CallEffect,
  type ContentBlock,
  CoordinatorError,
  finishInSlices,
  type GuestAnswer,
  type Json,
  type Limits,
  stringifyInSteps,
  type Tool,
  type ToolResult,
  takeTurn,
  toCoordinatorError,
} from "../contracts/index.js";

const looksLikeJson = /^\s*[[{]/;

/** Prefers structured content, then JSON in text, then text. A tool's `isError` becomes a failure with the tool's own message. */
export const unwrapResult = (result: ToolResult, isRaw: boolean): GuestAnswer => {
  if (isRaw) return answered(JSON.stringify(result));
  const blocks = result.content ?? [];
  if (result.isError === true)
    return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message: toErrorText(blocks) };
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return answered(JSON.stringify(result.structuredContent));
  return unwrapTexts(blocks) ?? answered(JSON.stringify(blocks));
};

/** The same for a result of any size. Of a large one only the part that a program gets is read, in slices. */
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

/** Undefined if there are other blocks than text. */
const unwrapTexts = (blocks: readonly ContentBlock[]): GuestAnswer | undefined => {
  const texts = blocks.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) {
    // The guest finds out whether it is JSON, so that the host does not parse megabytes only to pass them on.
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

/** What a program sees of an error: the message and the next step, never a stack or a cause. */
export const toFailure = (thrown: unknown): GuestAnswer => {
  const { code, message, hint } = toCoordinatorError(thrown);
  const name = code === "ARGUMENTS_INVALID" ? "ArgumentError" : "ToolError";
  return { status: "failed", name, code, message: `${message}. ${hint}` };
};

/** What repeating a call would do, according to its server. */
export const toEffect = ({ isReadOnly, isIdempotent }: Tool): CallEffect =>
  isReadOnly ? "read" : isIdempotent === true ? "idempotent" : "write";

export const checkAnswerSize = (
  name: string,
  answer: GuestAnswer,
  { answerBytes }: Pick<Limits, "answerBytes">,
): GuestAnswer => {
  if (answer.status === "failed" || answer.body.length <= answerBytes) return answer;
  throw new CoordinatorError(
    "LIMIT_ANSWER",
    `Cannot take the answer of "${name}": it has ${answer.body.length} bytes, at most ${answerBytes} are allowed`,
  );
};

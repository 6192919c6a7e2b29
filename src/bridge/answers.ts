// Turns results and errors into what a program gets.
import {
  type ContentBlock,
  CoordinatorError,
  finishInSlices,
  type GuestAnswer,
  type Json,
  type Limits,
  readJson,
  stringifyInSteps,
  type ToolResult,
  takeTurn,
  toCoordinatorError,
} from "../contracts/index.js";

const looksLikeJson = /^\s*[[{]/;

/**
 * Prefers structured content, then JSON in text, then text. Several texts that are all JSON become a list. A tool's `isError` becomes a
 * failure with the tool's own message.
 */
const unwrapResult = async (result: ToolResult, isRaw: boolean): Promise<GuestAnswer> => {
  if (isRaw) return answered(JSON.stringify(result));
  const blocks = result.content ?? [];
  if (result.isError === true)
    return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message: toErrorText(blocks) };
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return answered(JSON.stringify(result.structuredContent));
  return (await unwrapTexts(blocks)) ?? answered(JSON.stringify(blocks));
};

/** The same for a result of any size. Of a large result, only the part for the program is read, in slices. */
export const unwrapAnswer = async (result: ToolResult, isRaw: boolean): Promise<GuestAnswer> => {
  const { large } = result;
  if (large === undefined) return unwrapResult(result, isRaw);
  if (isRaw) return answered(await large.readText());
  if (!large.isError && large.hasStructure) return answered(await large.readText("structuredContent"));
  const blocks = await large.readBlocks();
  await takeTurn();
  if (large.isError) return unwrapResult({ isError: true, content: blocks }, false);
  return (await unwrapTexts(blocks)) ?? answered(await finishInSlices(stringifyInSteps(blocks as Json)));
};

/** Undefined if there are other blocks than text. */
const unwrapTexts = async (blocks: readonly ContentBlock[]): Promise<GuestAnswer | undefined> => {
  const texts = blocks.flatMap((block) =>
    block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
  if (texts.length < blocks.length) return undefined;
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) {
    // The guest finds out whether it is JSON, so that the host does not parse megabytes only to pass them on.
    return { status: "answered", format: looksLikeJson.test(only) ? "either" : "text", body: only };
  }
  if (texts.length === 0) return answered("null");
  if (await areRows(texts)) return answered(`[${texts.join(",")}]`);
  return { status: "answered", format: "text", body: texts.join("\n") };
};

/** Whether a server wrote each row of its result as a separate text. */
const areRows = async (texts: readonly string[]): Promise<boolean> => {
  if (!texts.every((text) => looksLikeJson.test(text))) return false;
  try {
    for (const text of texts) await readJson(text);
    return true;
  } catch {
    return false;
  }
};

/** `body`: JSON. */
export const answered = (body: string): GuestAnswer => ({ status: "answered", format: "json", body });

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
  const failure: GuestAnswer = { status: "failed", name, code, message: `${message}. ${hint}` };
  thrownErrors.set(failure, thrown);
  return failure;
};

const thrownErrors = new WeakMap<GuestAnswer, unknown>();

/** For a caller that is not a program: the error behind a failure. Undefined if the tool itself reported it. */
export const findThrown = (failure: GuestAnswer): unknown => thrownErrors.get(failure);

/** A program throws the message and the hint of a failed call as one text. Tells them apart again. */
export interface FailureHints {
  readonly note: (answer: GuestAnswer) => void;
  /** Undefined for failures that were answered from the journal. */
  readonly find: (message: string) => string | undefined;
}

const maxHints = 100;

export const openFailureHints = (): FailureHints => {
  const hints = new Map<string, string>();
  return {
    note: (answer) => {
      if (answer.status !== "failed" || findThrown(answer) === undefined) return;
      if (hints.size === maxHints) hints.clear();
      hints.set(answer.message, toCoordinatorError(findThrown(answer)).hint);
    },
    find: (message) => hints.get(message),
  };
};

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

// The text that a model would have read had it called the tool directly.
import { type ContentBlock, type LargeResult, type ToolResult, takeTurn } from "../../contracts/index.js";

/** The texts of the content. Structured copies are not shown to models, and binary data is not text. */
export const toAnswerTexts = ({ content = [], structuredContent }: ToolResult): readonly string[] => {
  if (content.length > 0) return content.flatMap(toText);
  return structuredContent === undefined || structuredContent === null
    ? []
    : [JSON.stringify(structuredContent)];
};

/** The same for a large result. */
export const readAnswerTexts = async (large: LargeResult): Promise<readonly string[]> => {
  const content = await large.readBlocks();
  await takeTurn();
  if (content.length > 0) return toAnswerTexts({ content });
  return large.hasStructure ? [await large.readText("structuredContent")] : [];
};

const toText = (block: ContentBlock): readonly string[] => {
  if (typeof block.text === "string") return [block.text];
  const { text } = (block.resource ?? {}) as { readonly text?: unknown };
  if (typeof text === "string") return [text];
  return block.type === "resource_link" ? [JSON.stringify(block)] : [];
};

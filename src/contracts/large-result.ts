// A tool result that is too large to parse at once: its bytes, and the positions of its fields.
import type { Json } from "./json.js";
import { isList, readElements, skipSpace, skipValueInSteps } from "./json-bytes.js";
import { decodeInSteps, encodeInSteps, noteEnds, parseWalked, readTextInSteps } from "./large-json.js";
import type { ContentBlock, ToolResult } from "./tool.js";
import { finishInSlices, type Steps } from "./turns.js";

interface Span {
  readonly start: number;
  readonly end: number;
}

const isBlock = (value: unknown): value is ContentBlock =>
  typeof value === "object" && value !== null && typeof (value as ContentBlock).type === "string";

/** The content as in MCP: invalid blocks are left out, and a bare text becomes a block. */
export const toBlocks = (content: unknown): readonly ContentBlock[] | undefined => {
  if (!Array.isArray(content)) return undefined;
  if (content.every(isBlock)) return content;
  return content.flatMap((block: unknown): readonly ContentBlock[] => {
    if (typeof block === "string") return [{ type: "text", text: block }];
    return isBlock(block) ? [block] : [];
  });
};

/** Bytes of a field that show what it is like. */
const headBytes = 24 * 1024;

export class LargeResult {
  readonly #bytes: Buffer;
  readonly #whole: Span;
  readonly #fields: ReadonlyMap<string, Span>;
  readonly #ends: ReadonlyMap<number, number>;
  #blocks: Promise<readonly ContentBlock[]> | undefined;

  constructor(
    bytes: Buffer,
    whole: Span,
    found: { readonly fields: ReadonlyMap<string, Span>; readonly ends: ReadonlyMap<number, number> },
  ) {
    this.#bytes = bytes;
    this.#whole = whole;
    this.#fields = found.fields;
    this.#ends = found.ends;
  }

  /** Total bytes. */
  get length(): number {
    return this.#whole.end - this.#whole.start;
  }

  get isError(): boolean {
    return this.#peek("isError") === "true";
  }

  get hasStructure(): boolean {
    const found = this.#peek("structuredContent");
    return found !== "" && found !== "null";
  }

  /** The beginning of the structured content, as JSON text. */
  get head(): string {
    return this.#peek("structuredContent");
  }

  /** The JSON text of a field, or of the whole result. */
  readText(field?: "structuredContent"): Promise<string> {
    const { start, end } = (field === undefined ? undefined : this.#fields.get(field)) ?? this.#whole;
    return finishInSlices(decodeInSteps(this.#bytes, start, end));
  }

  /** Its content, created once. */
  readBlocks(): Promise<readonly ContentBlock[]> {
    this.#blocks ??= this.#parse(this.#fields.get("content")).then((content) => toBlocks(content) ?? []);
    return this.#blocks;
  }

  /** The whole result as a value. Takes many times its bytes. */
  async parse(): Promise<ToolResult> {
    const { content, ...rest } = (await this.#parse(this.#whole)) as ToolResult;
    const blocks = toBlocks(content);
    return blocks === undefined ? rest : { ...rest, content: blocks };
  }

  async #parse(span: Span | undefined): Promise<Json> {
    return span === undefined ? null : finishInSlices(parseWalked(this.#bytes, span, this.#ends));
  }

  /** The beginning of a field, as text; empty if there is none. */
  #peek(field: string): string {
    const { start, end } = this.#fields.get(field) ?? { start: 0, end: 0 };
    return this.#bytes.toString("utf8", start, Math.min(end, start + headBytes));
  }
}

/** The result that a JSON text is. */
export function* toLargeResult(text: string): Steps<LargeResult> {
  const bytes = yield* encodeInSteps(text);
  const start = skipSpace(bytes, 0);
  const { ends, large } = noteEnds();
  const end = yield* skipValueInSteps(bytes, start, { large });
  const fields = yield* findFields(bytes, start, ends);
  return new LargeResult(bytes, { start, end }, { fields, ends });
}

/** The fields of an object, with the position of each value. */
export function* findFields(
  bytes: Buffer,
  container: number,
  ends: ReadonlyMap<number, number>,
): Steps<ReadonlyMap<string, Span>> {
  const fields = new Map<string, Span>();
  if (isList(bytes[container])) return fields;
  for (const element of readElements(bytes, { container, ends })) {
    yield undefined;
    if (element === undefined) continue;
    const { keyStart, keyEnd, start, end } = element;
    // No meaningful name is longer.
    if (keyEnd - keyStart <= 100) fields.set(yield* readTextInSteps(bytes, keyStart, keyEnd), { start, end });
  }
  return fields;
}

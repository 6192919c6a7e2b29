// Renders a run for a model within its token budget. The rest is stored, with a note on how to read it.
import {
  type Json,
  type Language,
  type OutputMode,
  type RunResult,
  type ShownCut,
  type ShownOutput,
  type StoredValues,
  toCoordinatorError,
} from "../../contracts/index.js";
import {
  openTokenFitter,
  type Preview,
  previewText,
  previewValue,
  type ReadOn,
  renderValue,
  type TokenCounter,
  type TokenFitter,
} from "../../output/index.js";
import type { Host } from "../host/host.js";
import { openValues } from "../workspaces/workspaces.js";
import { maxImages, readImages, renderArtifacts, takeMedia } from "./render-artifacts.js";
import {
  renderErrorTexts,
  renderLogs,
  renderNextTexts,
  renderNotes,
  renderSimulated,
  renderWarnings,
} from "./render-run-texts.js";

export interface ShowAnswerRequest {
  readonly value: Json;
  /** @default the setting `output` */
  readonly output?: OutputMode | undefined;
}

export type ShownResult = Pick<RunResult, "value" | "logs"> & Partial<RunResult>;

export interface ShowRunOptions {
  readonly result: ShownResult;
  readonly mode: OutputMode;
  readonly language: Language;
  readonly outputTokens: number;
  readonly counter: TokenCounter;
  readonly openValues: () => Promise<StoredValues>;
}

/** A part of the output: its text, and how it is stored and previewed if it is too long. */
interface Part {
  readonly of: ShownCut["of"];
  readonly text: string;
  readonly content: { readonly format: "json" | "text"; readonly content: string };
  readonly preview: (maxTokens: number) => Promise<Preview>;
}

/** Maximum tokens of a note about what was cut. */
const noteTokens = 120;

export const showRun = async (whole: ShowRunOptions): Promise<ShownOutput> => {
  const { mode, outputTokens, counter, openValues } = whole;
  const returned = whole.result.value === undefined ? undefined : takeMedia(whole.result.value);
  const result = returned === undefined ? whole.result : { ...whole.result, value: returned.value };
  const options = { ...whole, result };
  const fitter = openTokenFitter(counter.count);
  const parts = await toParts(options, fitter);
  const artifacts = result.artifacts ?? [];
  const listing = artifacts.length === 0 ? [] : [renderArtifacts(artifacts)];
  const shown = await fitParts(parts, outputTokens, fitter, options);
  const texts = [...renderSimulated(result), ...shown.texts, ...listing];
  if (texts.length === 0) texts.push("The program ended without printing or returning anything.");
  texts.push(...renderWarnings(result), ...renderNotes(result));
  const isWhole = shown.cuts.length === 0 && result.error === undefined;
  return {
    texts,
    images: [
      ...(artifacts.length === 0 ? [] : await readImages(artifacts, openValues)),
      ...(returned?.images ?? []),
    ].slice(0, maxImages),
    media: returned === undefined || returned.media.length === 0 ? undefined : returned.media,
    cuts: shown.cuts,
    ...(mode === "structured" && isWhole && result.value !== undefined
      ? {
          structured: {
            value: whole.result.value ?? null,
            ...(result.plan?.usesSimulated === true ? { usesSimulated: true } : {}),
            ...(result.simulated === undefined ? {} : { simulated: result.simulated }),
          },
        }
      : {}),
  };
};

const toParts = async ({ result, mode }: ShowRunOptions, fitter: TokenFitter): Promise<readonly Part[]> => {
  const { value } = result;
  const logs = renderLogs(result.logs);
  const errors = renderErrorTexts({ ...result, calls: result.calls ?? [] });
  return [
    ...(logs === undefined ? [] : [toTextPart("printed", logs, fitter)]),
    ...(value === undefined ? [] : [await toValuePart(value, mode, fitter)]),
    ...[...errors, ...renderNextTexts(result)].map((text) => toTextPart("error", text, fitter)),
  ];
};

const toTextPart = (of: ShownCut["of"], text: string, fitter: TokenFitter): Part => ({
  of,
  text,
  content: { format: "text", content: text },
  preview: (maxTokens) => previewText(text, maxTokens, fitter),
});

const toValuePart = async (value: Json, mode: OutputMode, fitter: TokenFitter): Promise<Part> => {
  const text = await renderValue(value, mode);
  if (typeof value === "string") return toTextPart("returned", text, fitter);
  return {
    of: "returned",
    text,
    content: { format: "json", content: JSON.stringify(value) },
    preview: (maxTokens) => previewValue({ value, text, mode, maxTokens, fitter }),
  };
};

const fitParts = async (
  parts: readonly Part[],
  budget: number,
  fitter: TokenFitter,
  options: ShowRunOptions,
): Promise<{ readonly texts: readonly string[]; readonly cuts: readonly ShownCut[] }> => {
  const sizes = await Promise.all(parts.map(({ text }) => fitter.countAtMost(text, budget)));
  const shares = toShares(sizes, budget);
  const texts: string[] = [];
  const cuts: ShownCut[] = [];
  for (const [at, part] of parts.entries()) {
    const share = shares[at] ?? 0;
    if ((sizes[at] ?? 0) <= share) {
      texts.push(part.text);
      continue;
    }
    const preview = await part.preview(Math.max(1, share - noteTokens));
    const cut = await storeCut(part, preview, options);
    cuts.push(cut);
    texts.push(preview.text, renderCut(cut));
  }
  return { texts, cuts };
};

/** Short parts get what they need. The others share the rest equally. */
const toShares = (sizes: readonly number[], budget: number): readonly number[] => {
  const shares = new Array<number>(sizes.length).fill(0);
  let left = budget;
  const order = sizes.map((_, at) => at).sort((one, other) => (sizes[one] ?? 0) - (sizes[other] ?? 0));
  for (const [done, at] of order.entries()) {
    const share = Math.min(sizes[at] ?? 0, Math.floor(left / (order.length - done)));
    shares[at] = share;
    left -= share;
  }
  return shares;
};

const storeCut = async (
  { of, content }: Part,
  { shown, of: unit, total, next }: Preview,
  { openValues, language, result }: ShowRunOptions,
): Promise<ShownCut> => {
  const facts = { of, bytes: Buffer.byteLength(content.content), shown, unit, total };
  // A later program would take it for a real value.
  if (result.plan?.usesSimulated === true) return { ...facts, problem: "PLAN_MADE_UP" };
  try {
    const { id } = await (await openValues()).store(content);
    return { ...facts, id, program: renderReadOn[language](JSON.stringify(id), next) };
  } catch (thrown) {
    return { ...facts, problem: toCoordinatorError(thrown).code };
  }
};

/** The number of characters to read next. */
const charactersPerRead = 10_000;

const renderReadOn: Readonly<Record<Language, (id: string, next: ReadOn | undefined) => string>> = {
  typescript: (id, next) => {
    if (next === undefined) return `return await peek(${id})`;
    if (next.by === "offset") return `return await page(${id}, { offset: ${next.offset}, limit: 100 })`;
    if (next.by === "path")
      return `return await page(${id}, { path: ${JSON.stringify(next.path)}, limit: 100 })`;
    return `return (await (await stored(${id})).load()).slice(${next.units}, ${next.units + charactersPerRead})`;
  },
  python: (id, next) => {
    if (next === undefined) return `peek(${id})`;
    if (next.by === "offset") return `page(${id}, offset=${next.offset}, limit=100)`;
    if (next.by === "path") return `page(${id}, path=${JSON.stringify(next.path)}, limit=100)`;
    return `stored(${id}).load()[${next.points}:${next.points + charactersPerRead}]`;
  },
};

const number = (value: number): string => value.toLocaleString("en-US");

const renderCut = ({ of, bytes, shown, unit, total, id, program, problem }: ShownCut): string => {
  const name = of === "error" ? "Error" : of === "printed" ? "Printed" : "Returned";
  const what = `${name}: ${number(bytes)} bytes, ${number(total)} ${unit}; ${shown}.`;
  if (id === undefined) return `[${what} The rest could not be stored: ${problem}]`;
  return `[${what} Stored in full as "${id}". Read on: ${program}]`;
};

export const showAnswer = async (
  host: Host,
  { value, output: mode = host.configuration.settings.output }: ShowAnswerRequest,
): Promise<ShownOutput> => {
  const { outputTokens } = host.configuration.settings.limits;
  const result: Pick<RunResult, "value" | "logs"> = { value, logs: [] };
  return showRun({
    result,
    mode,
    language: "typescript",
    outputTokens,
    counter: host.tokens,
    openValues: openValues(host),
  });
};

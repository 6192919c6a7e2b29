// Measures one run: collects texts, counts their tokens in batches while the host waits for servers, and adds them up at the end.
import {
  type ContentBlock,
  type JsonObject,
  type LargeResult,
  type RunMeter,
  type RunRequest,
  type RunResult,
  type Tool,
  type ToolResult,
  takeTurn,
} from "../../contracts/index.js";
import type { TokenCounter } from "../../output/index.js";
import { renderRunTexts } from "../presenting/render-run-texts.js";
import type { MeteredRun, TokenSums } from "./token-statistics.js";

/** Characters counted at once: counting short texts one by one would slow the run (`npm run bench -- calls`). */
const batch = 8 * 1024;
/** A result waits for at most this many characters to be counted. The rest is counted after it. */
const maxWait = 1024 * 1024;
/** Maximum characters held. A run that moves more is not counted, so that memory stays bounded. */
const maxHeld = 32 * 1024 * 1024;

export interface OpenRunMeterOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly counter: TokenCounter;
  readonly tokenSums: TokenSums;
  /** The model made the call itself and reads its answer. @default false */
  readonly isDirect?: boolean | undefined;
  /** Count the run as use of the servers. @default true */
  readonly isTallied?: boolean | undefined;
}

export interface OpenRunMeter {
  /** Records a call that its server answered. */
  readonly observe: (tool: Tool, value: JsonObject, result: ToolResult) => Promise<void>;
  /** Adds the meter to the result and the run to the sums. */
  readonly close: (result: RunResult) => Promise<RunResult>;
}

type Count = Promise<number | undefined>;

/** Texts whose tokens are summed. */
interface TokenSum {
  readonly add: (text: string) => void;
  /** Counts the collected texts and returns the total so far. */
  readonly count: () => Count;
}

const openSum = (counter: TokenCounter): TokenSum => {
  let gathered: string[] = [];
  let counted: Count = Promise.resolve(0);
  return {
    add: (text) => {
      gathered.push(text);
    },
    count: () => {
      if (gathered.length === 0) return counted;
      // A run must not fail because it cannot be measured.
      const more = counter.countAll(gathered).catch(() => undefined);
      const before = counted;
      gathered = [];
      counted = Promise.all([before, more]).then(([one, other]) =>
        one === undefined || other === undefined ? undefined : one + other,
      );
      return counted;
    },
  };
};

export const openRunMeter = ({
  runId,
  request,
  counter,
  tokenSums,
  isDirect = false,
  isTallied = true,
}: OpenRunMeterOptions): OpenRunMeter => {
  const program = openSum(counter);
  const returned = openSum(counter);
  const servers = new Map<string, { readonly call: TokenSum; readonly answer: TokenSum }>();
  const sumsOf = (server: string) => {
    const known = servers.get(server);
    if (known !== undefined) return known;
    const sums = { call: openSum(counter), answer: openSum(counter) };
    servers.set(server, sums);
    return sums;
  };
  let size = 0;
  let gathered = 0;
  let isDue = false;
  const isAwaited = (): boolean => size <= maxWait || request.countTokens === true;
  const isBeyond = (): boolean => size > maxHeld;

  const countGathered = (): void => {
    isDue = false;
    gathered = 0;
    for (const { call, answer } of servers.values()) {
      void call.count();
      void answer.count();
    }
  };
  const gather = (sum: TokenSum, text: string): void => {
    size += text.length;
    if (isBeyond()) return;
    sum.add(text);
    gathered += text.length;
    // Background counting must not take the processor from the program.
    if (isDue || gathered < batch || !isAwaited()) return;
    isDue = true;
    // After the current message to a server or the program has been sent.
    setImmediate(countGathered);
  };

  if (!isDirect) gather(program, renderRequest(request));

  const addUp = async (): Promise<MeteredRun | undefined> => {
    if (isBeyond()) return undefined;
    const [programTokens, returnedTokens, calls] = await Promise.all([
      program.count(),
      returned.count(),
      Promise.all(
        [...servers].map(async ([server, { call, answer }]) => {
          const [callTokens, answerTokens] = await Promise.all([call.count(), answer.count()]);
          return callTokens === undefined || answerTokens === undefined
            ? undefined
            : { server, callTokens, answerTokens };
        }),
      ),
    ]);
    const known = calls.filter((one) => one !== undefined);
    if (programTokens === undefined || returnedTokens === undefined || known.length < calls.length)
      return undefined;
    const callTokens = known.reduce((total, one) => total + one.callTokens, 0);
    const answerTokens = known.reduce((total, one) => total + one.answerTokens, 0);
    const [written, read] = isDirect ? [callTokens, answerTokens] : [programTokens, returnedTokens];
    const meter: RunMeter = {
      programTokens: written,
      returnedTokens: read,
      callTokens,
      answerTokens,
      keptTokens: Math.max(0, answerTokens - read),
      savedTokens: callTokens + answerTokens - written - read,
    };
    return { meter, servers: known };
  };

  return {
    observe: async (tool, value, result) => {
      const { large } = result;
      if (large !== undefined && size + large.length > maxHeld) {
        size += large.length;
        return;
      }
      const texts = large === undefined ? toAnswerTexts(result) : await readAnswerTexts(large);
      const { call, answer } = sumsOf(tool.server);
      for (const text of texts) gather(answer, text);
      // A run that is too large to count is not slowed down by serializing its arguments.
      if (!isBeyond()) gather(call, JSON.stringify({ name: tool.name, arguments: value }));
    },
    close: async (result) => {
      if (!isDirect) for (const text of renderRunTexts(result)) gather(returned, text);
      const isWaitedFor = isAwaited();
      const metering = isWaitedFor
        ? addUp()
        : // After the answer has been sent.
          new Promise<MeteredRun | undefined>((resolve) => setImmediate(() => resolve(addUp())));
      tokenSums.add({ runId, result, metering, isTallied });
      if (!isWaitedFor) return result;
      const metered = await metering;
      if (metered === undefined) return result;
      const { meter } = metered;
      return { ...result, meter, statistics: { ...result.statistics, outputTokens: meter.returnedTokens } };
    },
  };
};

/** As the model wrote it, counted by the same rule as direct calls. */
const renderRequest = ({ code, language, session }: RunRequest): string =>
  JSON.stringify({ name: "run_code", arguments: { code, language, session } });

/** What a model would have read had it called the tool directly: no structured copies and no binary data. */
export const toAnswerTexts = ({ content = [], structuredContent }: ToolResult): readonly string[] => {
  if (content.length > 0) return content.flatMap(toText);
  return structuredContent === undefined || structuredContent === null
    ? []
    : [JSON.stringify(structuredContent)];
};

/** The same for a large result. */
const readAnswerTexts = async (large: LargeResult): Promise<readonly string[]> => {
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

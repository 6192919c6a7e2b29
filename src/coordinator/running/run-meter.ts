// One run's meter: every text is handed to the counter when it comes by, and added up at the end.
import type { JsonObject, RunMeter, RunRequest, RunResult, Tool, ToolResult } from "../../contracts/index.js";
import type { TokenCounter } from "../../tokens/index.js";
import { toAnswerTexts } from "../showing/answer-texts.js";
import { renderRunTexts } from "../showing/render-run-texts.js";
import type { MeteredRun, RunLedger } from "./run-ledger.js";

/** Characters that a result waits for: counted while the program runs, they are counted a few milliseconds after it. */
const longestWait = 1024 * 1024;
/** Characters that are held until they are counted: a run that moves more is not counted, so that memory stays bounded. */
const longestHeld = 32 * 1024 * 1024;

export interface OpenRunMeterOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly counter: TokenCounter;
  readonly ledger: RunLedger;
}

export interface OpenRunMeter {
  /** A call that its server answered. */
  readonly observe: (tool: Tool, value: JsonObject, result: ToolResult) => void;
  /** The result with its meter, and the run in the ledger. */
  readonly close: (result: RunResult) => Promise<RunResult>;
}

type Count = Promise<number | undefined>;

interface MeteredCall {
  readonly server: string;
  readonly call: Count;
  readonly answers: readonly Count[];
}

export const openRunMeter = ({ runId, request, counter, ledger }: OpenRunMeterOptions): OpenRunMeter => {
  let size = 0;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const isAwaited = (): boolean => size <= longestWait || request.countTokens === true;
  const count = async (text: string): Count => {
    size += text.length;
    if (size > longestHeld) return undefined;
    // What nobody waits for must not take the processor from the program.
    if (!isAwaited()) await ended;
    // A run does not fail because it cannot be measured.
    return counter.count(text).catch(() => undefined);
  };
  const program = count(renderRequest(request));
  const calls: MeteredCall[] = [];

  const addUp = async (returned: readonly Count[]): Promise<MeteredRun | undefined> => {
    const [programTokens, returnedTokens, servers] = await Promise.all([
      program,
      sum(returned),
      Promise.all(
        calls.map(async ({ server, call, answers }) => {
          const [callTokens, answerTokens] = await Promise.all([call, sum(answers)]);
          return callTokens === undefined || answerTokens === undefined
            ? undefined
            : { server, callTokens, answerTokens };
        }),
      ),
    ]);
    const known = servers.filter((one) => one !== undefined);
    if (programTokens === undefined || returnedTokens === undefined || known.length < servers.length)
      return undefined;
    const callTokens = known.reduce((total, one) => total + one.callTokens, 0);
    const answerTokens = known.reduce((total, one) => total + one.answerTokens, 0);
    const meter: RunMeter = {
      programTokens,
      returnedTokens,
      callTokens,
      answerTokens,
      keptTokens: Math.max(0, answerTokens - returnedTokens),
      savedTokens: callTokens + answerTokens - programTokens - returnedTokens,
    };
    return { meter, calls: known };
  };

  return {
    observe: (tool, value, result) => {
      const answers = toAnswerTexts(result).map(count);
      // A run that is beyond counting is not made slower by writing down what it sent.
      const call =
        size > longestHeld
          ? Promise.resolve(undefined)
          : count(JSON.stringify({ name: tool.name, arguments: value }));
      calls.push({ server: tool.server, call, answers });
    },
    close: async (result) => {
      const metering = addUp(renderRunTexts(result).map(count));
      ledger.add({
        runId,
        result,
        metering,
        isTallied: request.simulate === undefined || request.simulate === false,
      });
      // After the answer is on its way.
      setImmediate(end);
      if (!isAwaited()) return result;
      const metered = await metering;
      if (metered === undefined) return result;
      const { meter } = metered;
      return { ...result, meter, statistics: { ...result.statistics, outputTokens: meter.returnedTokens } };
    },
  };
};

/** As the model wrote it, by the rule that its direct calls are counted by. */
const renderRequest = ({ code, language, session }: RunRequest): string =>
  JSON.stringify({ name: "run_code", arguments: { code, language, session } });

const sum = async (counts: readonly Count[]): Count => {
  const tokens = await Promise.all(counts);
  return tokens.reduce<number | undefined>(
    (total, one) => (total === undefined || one === undefined ? undefined : total + one),
    0,
  );
};

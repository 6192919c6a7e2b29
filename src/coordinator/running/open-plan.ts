// What a program would do: its writes, in their order. A write counts as independent of made-up answers only where other answers leave it as it is.
import { AsyncLocalStorage } from "node:async_hooks";
import { unwrapResult } from "../../bridge/index.js";
import type {
  GuestAnswer,
  GuestCall,
  GuestOrigin,
  HostFunctions,
  JsonObject,
  PlannedCall,
  RunPlan,
  Tool,
  ToolResult,
} from "../../contracts/index.js";
import { joinTimes } from "./join-times.js";
import { listGivenValues, setAnswer, varyAnswer } from "./vary-answer.js";

/** Runs the program again with other host functions; nothing outside of it is reached. */
type RunAgain = (host: HostFunctions, signal: AbortSignal, origin: Partial<GuestOrigin>) => Promise<unknown>;

export interface Plan {
  /** Whether a call is only written down. What a server says of its tools is all that is known: what does not claim to read, writes. */
  readonly captures: (tool: Tool) => boolean;
  /** The call that is under way is answered with made-up values. */
  readonly noteMadeUp: (answer: MadeUp) => void;
  /** Follows what the program asks of the host. */
  readonly watch: (call: HostFunctions["call"]) => HostFunctions["call"];
  /** Finds the calls that depend on made-up answers, after the program completed. */
  readonly prove: (
    again: RunAgain,
    /** `signal`: what is not proven by then counts as dependent. */
    options: { readonly lastTimes: string | undefined; readonly signal: AbortSignal },
  ) => Promise<void>;
  readonly read: () => RunPlan;
}

export interface MadeUp {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly isCaptured: boolean;
  /** Another answer that fits the tool's types, with other optional fields. */
  readonly simulate: (seed: string) => ToolResult;
}

/** Something that the program asked of the host. */
interface Asked {
  readonly key: string;
  readonly times: string | undefined;
  readonly isRaw: boolean;
  answer?: GuestAnswer;
  madeUp?: MadeUp;
}

/** Answers of a plan that are held for trying others. Beyond it nothing is proven. */
const maxHeldBytes = 64 * 1024 * 1024;
/** Made-up answers that are looked at one by one, to say on which a call depends. */
const maxSources = 8;

const toKey = ({ server, tool, argumentsJson, isRaw }: GuestCall): string =>
  JSON.stringify([server, tool, argumentsJson, isRaw]);

const refused: GuestAnswer = {
  status: "failed",
  name: "Error",
  code: "PLAN_INCOMPLETE",
  message: "Cannot answer: the program does something else with another made-up answer",
};

type Vary = (answer: GuestAnswer, asked: Asked) => GuestAnswer;

/** Other answers in place of a made-up one: with every value changed, or made up anew. */
const variations: readonly Vary[] = [
  ...([1, 2, 3] as const).map((by) => (answer: GuestAnswer) => varyAnswer(answer, by)),
  ...["a", "b", "c"].map(
    (seed) =>
      (_: GuestAnswer, { madeUp, isRaw }: Asked) =>
        madeUp === undefined ? refused : unwrapResult(madeUp.simulate(seed), isRaw),
  ),
];

/** `programs`: the texts of the program and of what it imports; made-up answers are tried with the values in them. */
export const openPlan = (planId: string, programs: readonly string[] = []): Plan => {
  const asked: Asked[] = [];
  const current = new AsyncLocalStorage<Asked>();
  let heldBytes = 0;
  /** Of each planned call that is not proven independent: on what it may depend. */
  const dependent = new Map<Asked, readonly string[]>();
  const listPlanned = (): readonly Asked[] => asked.filter(({ madeUp }) => madeUp?.isCaptured === true);

  /** What the program asks again when some made-up answers are others, up to the first thing that it did not ask before. */
  const replay = async (
    again: RunAgain,
    origin: Partial<GuestOrigin>,
    vary: Vary,
    { signal, isVaried }: { readonly signal: AbortSignal; readonly isVaried: (one: Asked) => boolean },
  ): Promise<ReadonlySet<Asked>> => {
    const waiting = Map.groupBy(asked, ({ key }) => key);
    const repeated = new Set<Asked>();
    const stop = new AbortController();
    if (signal.aborted) return repeated;
    const call: HostFunctions["call"] = async (given) => {
      const one = stop.signal.aborted ? undefined : waiting.get(toKey(given))?.shift();
      if (one?.answer === undefined) {
        stop.abort();
        return refused;
      }
      repeated.add(one);
      return one.madeUp !== undefined && isVaried(one) ? vary(one.answer, one) : one.answer;
    };
    await again({ call, isReplaying: () => true }, AbortSignal.any([stop.signal, signal]), origin);
    return repeated;
  };

  const describe = (one: Asked): string => {
    const name = `"${one.madeUp?.tool.server}.${one.madeUp?.tool.name}"`;
    return one.madeUp?.isCaptured === true ? `call ${listPlanned().indexOf(one) + 1}, ${name}` : name;
  };

  return {
    captures: ({ isReadOnly }) => !isReadOnly,
    noteMadeUp: (answer) => {
      const one = current.getStore();
      if (one !== undefined) one.madeUp = answer;
    },
    watch: (call) => async (given, signal) => {
      const one: Asked = { key: toKey(given), times: given.times, isRaw: given.isRaw };
      asked.push(one);
      const answer = await current.run(one, () => call(given, signal));
      heldBytes += one.key.length + (answer.status === "answered" ? answer.body.length : 0);
      if (heldBytes <= maxHeldBytes) one.answer = answer;
      return answer;
    },
    prove: async (again, { lastTimes, signal }) => {
      const planned = listPlanned();
      const madeUp = asked.filter((one) => one.madeUp !== undefined);
      if (planned.length === 0 || madeUp.length === 1) return;
      const told = [...asked.map(({ times }) => times), lastTimes].filter((times) => times !== undefined);
      const origin = { times: joinTimes(told), calls: asked.length };
      const real = asked.flatMap((one) =>
        one.madeUp === undefined && one.answer !== undefined ? [one.answer] : [],
      );
      const all = [
        ...variations,
        ...listGivenValues(programs, real).map(
          (to): Vary =>
            (answer) =>
              setAnswer(answer, to),
        ),
      ];
      const lost = new Set<Asked>();
      for (const vary of all) {
        if (lost.size === planned.length) break;
        const repeated = await replay(again, origin, vary, { signal, isVaried: () => true });
        for (const one of planned) if (!repeated.has(one)) lost.add(one);
      }
      const sources = new Map([...lost].map((one) => [one, [] as string[]]));
      for (const source of lost.size === 0 ? [] : madeUp.slice(0, maxSources)) {
        const affected = new Set<Asked>();
        for (const vary of signal.aborted ? [] : all) {
          const repeated = await replay(again, origin, vary, { signal, isVaried: (one) => one === source });
          if (signal.aborted) break;
          for (const one of lost) if (!repeated.has(one)) affected.add(one);
        }
        for (const one of affected) sources.get(one)?.push(describe(source));
      }
      for (const [one, names] of sources) dependent.set(one, names);
    },
    read: () => ({
      planId,
      calls: listPlanned().flatMap((one): readonly PlannedCall[] => {
        if (one.madeUp === undefined) return [];
        const { tool, arguments: given } = one.madeUp;
        const dependsOn = dependent.get(one);
        return [
          {
            server: tool.server,
            tool: tool.name,
            arguments: given,
            ...(dependsOn === undefined ? {} : { usesSimulated: true, dependsOn }),
          },
        ];
      }),
    }),
  };
};

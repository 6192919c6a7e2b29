// Hides personal values and applies guardrails in large texts in a worker thread, so that the main thread is never blocked.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { takeTurn } from "../../contracts/index.js";
import {
  type Guardrail,
  type GuardrailMatch,
  type HideOptions,
  type PrivacyTokenMap,
  TooManyValues,
} from "../../policy/index.js";
import type { GuardReply, GuardTask, HideReply, HideTask } from "./hide-worker.js";

/** The same file for the source, the compiled modules and the bundle. */
const workerFile = fileURLToPath(new URL("../../../dist/bundle/hide-worker.js", import.meta.url));
const maxHeapMb = 1024;
const idleMs = 10_000;
/** Values that are sent in one message. */
const batch = 2000;

interface Copy {
  readonly id: number;
  /** How many values it has. */
  size: number;
}

let worker: Worker | undefined;
let copies = new WeakMap<PrivacyTokenMap, Copy>();
let lastId = 0;
let turn: Promise<unknown> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;

const start = (): Worker => {
  clearTimeout(idle);
  if (worker === undefined) {
    const started = new Worker(workerFile, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.on("exit", () => {
      if (worker === started) end();
    });
    worker = started;
  }
  return worker;
};

const end = (): void => {
  worker = undefined;
  copies = new WeakMap();
};

const ask = <Reply>(on: Worker, task: HideTask | GuardTask): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      on.off("message", onMessage).off("error", onError).off("exit", onExit);
      on.unref();
    };
    const onMessage = (reply: Reply): void => {
      settle();
      resolve(reply);
    };
    const onError = (error: unknown): void => {
      settle();
      reject(error);
    };
    const onExit = (): void => onError(new Error("The thread ended"));
    on.ref();
    on.on("message", onMessage).on("error", onError).on("exit", onExit);
    on.postMessage(task);
  });

const hideNext = async (text: string, map: PrivacyTokenMap, options: HideOptions): Promise<string> => {
  const on = start();
  const copy = copies.get(map) ?? { id: ++lastId, size: 0 };
  const { scope, origin, source } = options;
  const common = { map: copy.id, last: map.lastNumbers(), scope, origin, source, kinds: [...options.kinds] };
  const declared = [...(options.declared ?? [])];
  while (map.size - copy.size > batch) {
    on.postMessage({ ...common, declared, added: map.list(copy.size, copy.size + batch) } satisfies HideTask);
    copy.size += batch;
    await takeTurn();
  }
  const reply = await ask<HideReply>(on, { ...common, declared, text, added: map.list(copy.size) });
  if (reply.text === undefined) {
    copies.delete(map);
    throw reply.failure === "too many" ? new TooManyValues() : new Error("The answer could not be read");
  }
  for (const [at, value] of reply.added.entries()) {
    map.add(value);
    if (at % batch === batch - 1) await takeTurn();
  }
  for (const [index, labels] of reply.touched) map.addOrigin(index, origin, labels);
  copies.set(map, { id: copy.id, size: map.size });
  endLater();
  return reply.text;
};

const endNow = (): void => {
  const unused = worker;
  end();
  void unused?.terminate();
};

const endLater = (): void => {
  idle = setTimeout(endNow, idleMs).unref();
};

/** A pattern takes linear time, but not always little. */
const maxGuardMs = 10_000;

const matchNext = async (task: GuardTask): Promise<readonly GuardrailMatch[]> => {
  const on = start();
  const timer = setTimeout(() => void on.terminate(), maxGuardMs);
  try {
    const { matches } = await ask<GuardReply>(on, task);
    if (matches === undefined) throw new Error("The text could not be read");
    endLater();
    return matches;
  } finally {
    clearTimeout(timer);
  }
};

/** The guardrails that apply to a large text. Throws if that cannot be found out in time. */
export const matchInWorker = (
  guardrails: readonly Guardrail[],
  text: string,
): Promise<readonly GuardrailMatch[]> => {
  const next = turn.then(() => matchNext({ guardrails, text }));
  turn = next.catch(() => {});
  return next;
};

/** The text with tokens. Adds new values to the map. The map must not be changed until it resolves. */
export const hideInWorker = (text: string, map: PrivacyTokenMap, options: HideOptions): Promise<string> => {
  const next = turn.then(() => hideNext(text, map, options));
  turn = next.catch(() => {});
  return next;
};

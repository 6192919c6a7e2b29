// The checker process: answers requests from its standard input. A watchdog thread ends the process if a request blocks it,
// even if the host is gone.
import { isMainThread, Worker, workerData } from "node:worker_threads";
import type { CheckerRequest, PackedError, ReplyMessage, RequestMessage } from "./checker-handlers.js";

/** Maximum time without a turn of the event loop. The host sets the limit of processor time. */
const maxStuckMs = 20_000;
const beatMs = 250;
/** Maximum bytes of one request. */
const maxRequestBytes = 512 * 1024 * 1024;

/** Shared by both threads: the number of open requests, and a counter that the main thread advances. */
const open = 0;
const moves = 1;

interface Watch {
  readonly state: Int32Array;
  readonly maxProcessorMs: number;
}

const readProcessorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Ends the whole process group if there is one, including the compiler. */
const endProcess = (): void => {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
};

const watch = ({ state, maxProcessorMs }: Watch): void => {
  for (;;) {
    Atomics.wait(state, open, 0);
    let seen = Atomics.load(state, moves);
    let since = { processor: readProcessorMs(), wall: performance.now() };
    while (Atomics.load(state, open) > 0) {
      Atomics.wait(state, moves, seen, beatMs);
      const now = { processor: readProcessorMs(), wall: performance.now() };
      const count = Atomics.load(state, moves);
      if (count !== seen) {
        seen = count;
        since = now;
      } else if (now.processor - since.processor > maxProcessorMs || now.wall - since.wall > maxStuckMs)
        endProcess();
    }
  }
};

const startWatch = (): { readonly begin: () => void; readonly end: () => void } => {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const [, file = "", maxProcessorMs] = process.argv;
  new Worker(file, {
    workerData: { state, maxProcessorMs: Number(maxProcessorMs) } satisfies Watch,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  const move = (): void => {
    Atomics.add(state, moves, 1);
    Atomics.notify(state, moves);
  };
  let beat: NodeJS.Timeout | undefined;
  return {
    begin: () => {
      move();
      if (Atomics.add(state, open, 1) === 0) beat = setInterval(move, beatMs);
      Atomics.notify(state, open);
    },
    end: () => {
      move();
      if (Atomics.sub(state, open, 1) === 1) clearInterval(beat);
    },
  };
};

const serve = async (): Promise<void> => {
  const [{ toCoordinatorError }, { createFrameReader, toFrame }, { openHandlers }] = await Promise.all([
    import("../../contracts/index.js"),
    import("../../checker/index.js"),
    import("./checker-handlers.js"),
  ]);
  const handlers = openHandlers() as Record<CheckerRequest, (body: unknown) => Promise<unknown>>;
  const watching = startWatch();
  const send = (reply: ReplyMessage): void => void process.stdout.write(toFrame(reply));

  const toError = (thrown: unknown): PackedError => {
    const { code, message, hint, details } = toCoordinatorError(thrown);
    return { code, message, hint, details };
  };
  const answer = async ({ id, kind, body }: RequestMessage): Promise<void> => {
    watching.begin();
    send({ id, isStarted: true });
    try {
      send({ id, result: await handlers[kind](body) });
    } catch (thrown) {
      send(thrown instanceof RangeError ? { id, isTooComplex: true } : { id, error: toError(thrown) });
    } finally {
      watching.end();
    }
  };

  // One at a time, so that a crash can be attributed. A check waits for its compiler while others run.
  let turn: Promise<unknown> = Promise.resolve();
  const read = createFrameReader((message) => {
    const request = message as RequestMessage;
    turn = turn.then(() => {
      const answered = answer(request);
      return request.kind === "checkProgram" || request.kind === "warm" ? undefined : answered;
    });
  }, maxRequestBytes);
  process.stdin.on("data", read);
  process.stdin.on("end", endProcess);
  process.stdin.on("error", endProcess);
  process.stdout.on("error", endProcess);
  send({ isReady: true });
};

if (isMainThread) await serve();
else watch(workerData as Watch);

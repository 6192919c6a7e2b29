// Files that a guest writes in parts: each goes on to the store as it comes, and takes its name when it is whole.
import { CoordinatorError } from "../contracts/index.js";
import { createGate, type Gate } from "./gate.js";

export interface Uploads {
  /** Begins a file; `write` is given its parts. */
  readonly start: (write: (parts: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<number>;
  /** Ends when the part is on its way to the disk, so that a guest cannot send faster than it writes. */
  readonly add: (id: number, part: Uint8Array) => Promise<void>;
  readonly end: (id: number) => Promise<void>;
  /** Gives up what was not ended. */
  readonly close: () => void;
}

interface Upload {
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  /** The file is written, or why it was not. */
  readonly done: Promise<void>;
  readonly leave: () => void;
}

/** Files of one run that are unfinished at once: they are on the disk and in no quota yet. */
const mostAtOnce = 4;

export const openUploads = (): Uploads => {
  const enter: Gate = createGate(mostAtOnce);
  const open = new Map<number, Upload>();
  let lastId = 0;
  let isClosed = false;

  const find = (id: number): Upload => {
    const upload = open.get(id);
    if (upload !== undefined) return upload;
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot write on: no file ${id} is being written`);
  };
  const forget = (id: number): void => {
    open.get(id)?.leave();
    open.delete(id);
  };

  return {
    start: (write) =>
      new Promise((resolve) => {
        void enter(
          () =>
            new Promise<void>((leave) => {
              const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
              const writer = writable.getWriter();
              const done = write(readable);
              // Told to the guest with the next thing that it asks; nobody may be there to hear it now.
              done.catch(() => undefined);
              writer.closed.catch(() => undefined);
              const id = ++lastId;
              open.set(id, { writer, done, leave });
              if (isClosed) void writer.abort().finally(() => forget(id));
              resolve(id);
            }),
        );
      }),
    add: async (id, part) => {
      const { writer, done } = find(id);
      try {
        await Promise.race([writer.write(part), done]);
      } catch {
        forget(id);
        await done;
      }
    },
    end: async (id) => {
      const { writer, done } = find(id);
      try {
        await writer.close().catch(() => undefined);
        await done;
      } finally {
        forget(id);
      }
    },
    close: () => {
      isClosed = true;
      for (const [id, { writer }] of open)
        void writer
          .abort(new Error("The run has ended"))
          .catch(() => undefined)
          .finally(() => forget(id));
    },
  };
};

// A channel to a guest whose start takes more than one step: it can be held, written to and killed before it is there.
import { Readable, Writable } from "node:stream";
import type { GuestChannel } from "./guest-channel.js";

/** A channel at once; what is written before the real one is open waits for it. */
export const deferChannel = (opening: Promise<GuestChannel>): GuestChannel => {
  let inner: GuestChannel | undefined;
  let startError: unknown;
  let isKilled = false;
  let isUnreferenced = false;
  let isGone = false;
  const listeners: (() => void)[] = [];
  const end = (): void => {
    if (isGone) return;
    isGone = true;
    for (const listener of listeners) listener();
  };
  // Whoever stops reading, or does not take what is written, is felt on the other side.
  const output = new Readable({ read: () => void inner?.output.resume() });
  const input = new Writable({
    write: (chunk, _encoding, done) => {
      const pass = ({ input }: GuestChannel): void => void input.write(chunk, () => done());
      if (inner === undefined) opening.then(pass, () => done());
      else pass(inner);
    },
  });
  opening.then(
    (channel) => {
      inner = channel;
      channel.output.on("data", (chunk) => {
        if (!output.push(chunk)) channel.output.pause();
      });
      channel.onExit(end);
      if (isUnreferenced) channel.unref();
      if (isKilled) channel.kill();
    },
    (thrown: unknown) => {
      startError = thrown;
      end();
    },
  );
  return {
    input,
    output,
    processId: () => inner?.processId(),
    lastWords: () => inner?.lastWords() ?? "",
    startError: () => startError,
    kill: () => {
      isKilled = true;
      inner?.kill();
    },
    onExit: (listener) => {
      if (isGone) listener();
      else listeners.push(listener);
    },
    unref: () => {
      isUnreferenced = true;
      inner?.unref();
    },
  };
};

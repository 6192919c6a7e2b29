// A channel to a guest whose start takes several steps: it can be held, written to and killed before the guest exists.
import { Readable, Writable } from "node:stream";
import type { GuestChannel } from "./guest-channel.js";

/** Returns a channel at once; writes wait until the real one is open. */
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
  // Passes back-pressure on in both directions.
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
    lastOutput: () => inner?.lastOutput() ?? "",
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

// The channel to one forked guest: a connection to the zygote's socket, which the fork then keeps for itself.
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import type { GuestChannel } from "../guest-channel.js";
import type { ZygoteProcess } from "./zygote-process.js";

export interface ZygoteChannelOptions {
  /** Names the guest towards the zygote. */
  readonly guest: number;
  /** Resolves when the zygote takes connections. */
  readonly zygote: Promise<ZygoteProcess>;
  readonly socketPath: () => string;
}

/** A guest that its zygote has not ended by then shows that the zygote itself is stuck. */
const killGraceMs = 1000;
/** The socket closes a moment before the process is gone. */
const exitGraceMs = 300;

/** Asks for a guest; the channel is there at once, the guest follows. */
export const openZygoteChannel = ({ guest, zygote, socketPath }: ZygoteChannelOptions): GuestChannel => {
  const socket = new Socket();
  const listeners: (() => void)[] = [];
  let lastWords = "";
  let startError: unknown;
  let process: ZygoteProcess | undefined;
  let isKilled = false;
  let isGone = false;

  const end = (): void => {
    if (isGone) return;
    isGone = true;
    socket.destroy();
    for (const listener of listeners) listener();
  };
  socket.on("error", (error) => {
    lastWords ||= error.message;
  });
  socket.on("close", () => {
    // A guest without its channel is of no use to anybody.
    process?.killGuest(guest);
    if (process === undefined || process.isDead) end();
    else setTimeout(end, exitGraceMs).unref();
  });
  zygote.then(
    (started) => {
      if (isKilled) return end();
      process = started;
      process.onGuestExit(guest, end);
      socket.connect(socketPath());
      const number = Buffer.alloc(4);
      number.writeUInt32LE(guest);
      socket.write(number);
    },
    (thrown: unknown) => {
      startError = thrown;
      end();
    },
  );

  return {
    input: socket,
    output: socket,
    // The kernel holds the guest's memory limit itself (RLIMIT_DATA): there is nothing for the host to watch.
    processId: () => undefined,
    lastWords: () => lastWords,
    startError: () => startError,
    kill: () => {
      isKilled = true;
      process?.killGuest(guest);
      setTimeout(() => {
        if (!isGone) process?.kill();
      }, killGraceMs).unref();
    },
    onExit: (listener) => {
      if (isGone) listener();
      else listeners.push(listener);
    },
    unref: () => socket.unref(),
  };
};

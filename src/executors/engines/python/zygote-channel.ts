// The channel to one forked guest: a connection to the zygote's socket, which the fork then owns.
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import type { GuestChannel } from "../../host/guest-channel.js";
import type { ZygoteProcess } from "./zygote-process.js";

export interface ZygoteChannelOptions {
  /** Identifies the guest to the zygote. */
  readonly guest: number;
  /** Resolves with a zygote that accepts connections. */
  readonly zygote: () => Promise<ZygoteProcess>;
  readonly socketPath: () => string;
}

/** If the zygote has not killed a guest by then, the zygote itself is stuck. */
const killGraceMs = 5000;

/** Requests a guest. The channel exists at once, the guest follows. */
export const openZygoteChannel = ({ guest, zygote, socketPath }: ZygoteChannelOptions): GuestChannel => {
  const socket = new Socket();
  const listeners: (() => void)[] = [];
  let lastOutput = "";
  let startError: unknown;
  let process: ZygoteProcess | undefined;
  let triesLeft = 2;
  let isConnected = false;
  let isKilled = false;
  let isGone = false;

  const end = (): void => {
    if (isGone) return;
    isGone = true;
    socket.destroy();
    for (const listener of listeners) listener();
  };
  socket.on("error", (error) => {
    lastOutput ||= error.message;
  });
  const connect = async (): Promise<void> => {
    triesLeft--;
    // A zygote that refused a connection has ended, even if that is not reported yet.
    await process?.close();
    process = await zygote();
    if (isKilled) return end();
    socket.connect(socketPath());
  };
  const fail = (thrown: unknown): void => {
    startError = thrown;
    end();
  };
  socket.on("connect", () => {
    isConnected = true;
    const number = Buffer.alloc(4);
    number.writeUInt32LE(guest);
    socket.write(number);
  });
  socket.on("close", () => {
    if (!isConnected && !isKilled && triesLeft > 0) {
      connect().catch(fail);
      return;
    }
    // If nobody listened, the zygote's last output says more than the socket's error.
    if (!isConnected) lastOutput = process?.lastOutput() ?? lastOutput;
    // A guest without its channel is useless.
    process?.killGuest(guest);
    end();
  });
  connect().catch(fail);

  return {
    input: socket,
    output: socket,
    // The kernel enforces the guest's memory limit itself (RLIMIT_DATA): the host has nothing to watch.
    processId: () => undefined,
    lastOutput: () => lastOutput,
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

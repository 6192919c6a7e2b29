// The warm Python process that guests are forked from: started for the first guest, restarted if it died. Each guest has a
// connection to its socket, which the fork then owns.
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";
import { type GuestChannel, killGroup } from "../../host/guest-channel.js";
import type { WallCommand } from "../../walls/walls.js";

export interface ZygoteCommand extends WallCommand {
  readonly environment: Readonly<Record<string, string>>;
}

/** The path of the zygote's socket on the host. */
export const toSocketPath = (channelFolder: string): string => `${channelFolder}/zygote`;

export interface ZygoteKeeper {
  /** Requests a guest. The channel exists at once, the guest follows. */
  readonly openChannel: () => GuestChannel;
  readonly close: () => Promise<void>;
}

/** After this time without a guest, a zygote and its imported libraries are released. */
const idleMs = 60_000;

/** @param toCommand builds its command, with a socket in this folder. Rejects if it cannot be started */
export const keepZygote = (toCommand: (channelFolder: string) => Promise<ZygoteCommand>): ZygoteKeeper => {
  let zygote: Promise<ZygoteProcess> | undefined;
  let channelFolder = "";
  let lastGuest = 0;
  let guests = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const removeFolder = (): void => rmSync(channelFolder, { recursive: true, force: true });

  const start = async (): Promise<ZygoteProcess> => {
    if (channelFolder === "") {
      channelFolder = mkdtempSync(join(tmpdir(), "mcp-python-"));
      process.once("exit", removeFolder);
    }
    const command = await toCommand(channelFolder);
    rmSync(toSocketPath(channelFolder), { force: true });
    const started = new ZygoteProcess(command);
    await started.ready.catch(() => {
      throw cannotStartPython(`Cannot start Python: ${started.lastOutput().split("\n").at(-1)}`);
    });
    return started;
  };
  const keep = async (): Promise<ZygoteProcess> => {
    const known = await zygote?.catch(() => undefined);
    return known === undefined || known.isDead ? start() : known;
  };

  const closeZygote = async (): Promise<void> => {
    const known = await zygote?.catch(() => undefined);
    await known?.close();
  };

  return {
    openChannel: () => {
      guests++;
      clearTimeout(idleTimer);
      const channel = openZygoteChannel({
        guest: ++lastGuest,
        zygote: () => {
          zygote = keep();
          return zygote;
        },
        socketPath: () => toSocketPath(channelFolder),
      });
      channel.onExit(() => {
        if (--guests === 0) idleTimer = setTimeout(() => void closeZygote(), idleMs).unref();
      });
      return channel;
    },
    close: async () => {
      clearTimeout(idleTimer);
      await closeZygote();
      process.removeListener("exit", removeFolder);
      if (channelFolder !== "") removeFolder();
    },
  };
};

export const cannotStartPython = (reason = "Python cannot run here", fix?: string): CoordinatorError =>
  new CoordinatorError("SANDBOX_UNAVAILABLE", reason, { hint: fix });

const maxLastOutput = 4000;

class ZygoteProcess {
  /** Resolves when it accepts connections; rejects if it ended before. */
  readonly ready: Promise<void>;
  isDead = false;

  readonly #child: ChildProcess;
  #lastOutput = "";

  constructor({ command, args, environment }: ZygoteCommand) {
    const child = spawn(command, args, {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
      // A separate process group: Ctrl-C in a terminal reaches only the host, and all of it can be killed at once.
      detached: process.platform !== "win32",
    });
    this.#child = child;
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastOutput = (this.#lastOutput + text).slice(-maxLastOutput);
    });
    this.ready = new Promise((resolve, reject) => {
      // Its only message: it accepts connections.
      child.stdout.once("data", () => resolve());
      const end = (error?: Error): void => {
        this.isDead = true;
        this.#lastOutput ||= error?.message ?? "";
        reject(new Error(this.lastOutput()));
      };
      child.on("error", end);
      child.on("exit", () => end());
    });
    this.ready.catch(() => {});
    // Neither it nor its guests keep the host alive; runs do.
    child.unref();
    for (const stream of child.stdio) (stream as { unref?: (() => void) | undefined } | null)?.unref?.();
  }

  killGuest(guest: number): void {
    if (!this.isDead) this.#child.stdin?.write(`kill ${guest}\n`);
  }

  /** Ends it and every guest. */
  kill(): void {
    killGroup(this.#child);
  }

  /** Resolves when it is gone. */
  async close(): Promise<void> {
    if (this.isDead) return;
    this.#child.ref();
    await new Promise<void>((resolve) => {
      this.#child.once("exit", () => resolve());
      this.kill();
    });
  }

  lastOutput(): string {
    return this.#lastOutput.trim() || "the Python process ended without output";
  }
}

interface ZygoteChannelOptions {
  /** Identifies the guest to the zygote. */
  readonly guest: number;
  /** Resolves with a zygote that accepts connections. */
  readonly zygote: () => Promise<ZygoteProcess>;
  readonly socketPath: () => string;
}

/** If the zygote has not killed a guest by then, the zygote itself is stuck. */
const killGraceMs = 5000;

/** Requests a guest. The channel exists at once, the guest follows. */
const openZygoteChannel = ({ guest, zygote, socketPath }: ZygoteChannelOptions): GuestChannel => {
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

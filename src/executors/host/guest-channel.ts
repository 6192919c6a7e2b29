// The byte streams between the host and one guest process, however it is started and wherever it runs, and the frames that wait to be written.
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { type Duplex, Readable, Writable } from "node:stream";
import { encodeFrame, encodeHead } from "./frames.mjs";

/** The header of a frame: its type, and fields that depend on it. Declared here, so that declarations need no JavaScript file. */
export interface FrameHeader {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface GuestChannel {
  /** To the guest. */
  readonly input: Writable;
  /** From the guest. */
  readonly output: Readable;
  /** The process to measure, if it runs on this machine. */
  readonly processId: () => number | undefined;
  /** The tail of its stderr. */
  readonly lastOutput: () => string;
  /** Why there is no guest, if its start failed before it had a process. */
  readonly startError?: (() => unknown) | undefined;
  /** Receives the facts that the guest process reported before it held any guest code. */
  readonly onReady?: ((header: FrameHeader) => void) | undefined;
  /** Kills the guest at once, even if it is busy. */
  readonly kill: () => void;
  /** Called once when the guest is gone. */
  readonly onExit: (listener: () => void) => void;
  /** Lets the host exit while the guest is idle. */
  readonly unref: () => void;
}

interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** @default an empty environment */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Its working folder. @default the host's own */
  readonly folder?: string | undefined;
  /** Replaces sending a signal to the started process. */
  readonly kill?: ((child: ChildProcess) => void) | undefined;
  /** Sends frames both ways over descriptor 3, because wrappers may read stdin and stdout. */
  readonly hasOwnWire?: boolean | undefined;
}

const maxLastOutput = 4000;

/** Kills a detached child with what it has started: bubblewrap leaves its own child behind if it is killed while that one starts. */
export const killGroup = (child: ChildProcess): void => {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
};

/** A channel to a child process, over stdin and stdout or a separate descriptor. */
export const spawnChannel = ({
  command,
  args,
  environment = {},
  folder,
  kill,
  hasOwnWire = false,
}: SpawnOptions): GuestChannel => {
  const child = spawn(command, args, {
    env: environment,
    cwd: folder,
    stdio: hasOwnWire ? ["ignore", "ignore", "pipe", "pipe"] : ["pipe", "pipe", "pipe"],
    // A separate process group: Ctrl-C in a terminal reaches only the host, which then cancels the run.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let lastOutput = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastOutput = (lastOutput + text).slice(-maxLastOutput);
  });
  const [stdin, stdout, , wire] = child.stdio;
  const input = (hasOwnWire ? wire : stdin) as Writable;
  const output = (hasOwnWire ? (wire as Duplex) : stdout) as Readable;
  input.on("error", () => {});
  return {
    input,
    output,
    processId: () => child.pid,
    lastOutput: () => lastOutput,
    kill: () => (kill === undefined ? killGroup(child) : kill(child)),
    onExit: (listener) => {
      let isGone = false;
      const once = (): void => {
        if (isGone) return;
        isGone = true;
        listener();
      };
      child.on("error", (error) => {
        lastOutput ||= error.message;
        once();
      });
      child.on("exit", once);
    },
    unref: () => {
      child.unref();
      for (const stream of child.stdio) (stream as { unref?: (() => void) | undefined } | null)?.unref?.();
    },
  };
};

/** A channel to a guest whose start takes several steps: it can be held, written to and killed before the guest exists. */
export const deferChannel = (connecting: Promise<GuestChannel>): GuestChannel => {
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
      if (inner === undefined) connecting.then(pass, () => done());
      else pass(inner);
    },
  });
  connecting.then(
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
    onReady: (header) => inner?.onReady?.(header),
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

/** Frames that exceed this size together are not copied into one buffer. */
const maxJoinedBytes = 1 << 16;

export class FrameOutbox {
  readonly #input: Writable;
  #frames: Buffer[] = [];
  /** Called when the frames of this turn have left. */
  #onSent: (() => void)[] = [];
  #turnBytes = 0;

  constructor(input: Writable) {
    this.#input = input;
  }

  /** `onSent` is called when the frame has left the host; never if the guest is gone. */
  send(header: FrameHeader, body?: string, onSent?: () => void): void {
    if (onSent !== undefined) this.#onSent.push(onSent);
    this.sendBytes(encodeFrame(header, body));
  }

  /** The same for a body that is already encoded. It is not copied. */
  sendLarge(header: FrameHeader, body: Buffer, onSent: () => void): void {
    this.#onSent.push(onSent);
    this.sendBytes(encodeHead(header, body.length));
    this.sendBytes(body);
  }

  sendBytes(bytes: Buffer): void {
    this.#frames.push(bytes);
    this.#turnBytes += bytes.length;
    if (this.#frames.length === 1) queueMicrotask(() => this.#sendTurn());
  }

  /** Drops unwritten frames. */
  close(): void {
    this.#frames = [];
    this.#onSent = [];
    this.#turnBytes = 0;
  }

  #sendTurn(): void {
    const frames = this.#frames;
    const onSent = this.#onSent;
    if (frames.length === 0) return;
    this.#frames = [];
    this.#onSent = [];
    const isJoined = frames.length > 1 && this.#turnBytes <= maxJoinedBytes;
    this.#turnBytes = 0;
    const last = isJoined ? Buffer.concat(frames) : frames.pop();
    this.#input.cork();
    if (!isJoined) for (const frame of frames) this.#input.write(frame);
    this.#input.write(last, (error) => {
      if (!error) for (const callBack of onSent) callBack();
    });
    this.#input.uncork();
  }
}

// A progress line on a terminal, shown once a wait gets long.

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const patienceMs = 800;
const frameMs = 100;

export interface Progress {
  readonly during: <Value>(what: string, promise: Promise<Value>) => Promise<Value>;
  /** Background activity, shown instead of what is waited for; undefined when it is over. */
  readonly note: (activity: string | undefined) => void;
  /** Clears the line before other output. It reappears by itself. */
  readonly clear: () => void;
  /** Shows nothing while a person is asked. */
  readonly hold: <Value>(asking: () => Promise<Value>) => Promise<Value>;
}

/** Silent if the stream is not a terminal. */
export const openProgress = (stream: NodeJS.WriteStream): Progress => {
  let isShown = false;
  let isHeld = false;
  let activity: string | undefined;
  const clear = (): void => {
    if (!isShown) return;
    stream.write("\r\x1b[2K");
    isShown = false;
  };
  return {
    clear,
    note: (text) => {
      activity = text;
    },
    hold: async (asking) => {
      clear();
      isHeld = true;
      try {
        return await asking();
      } finally {
        isHeld = false;
      }
    },
    during: async (what, promise) => {
      if (!stream.isTTY) return promise;
      const startedAt = performance.now();
      const timer = setInterval(() => {
        const elapsedMs = performance.now() - startedAt;
        if (elapsedMs < patienceMs || isHeld) return;
        const frame = frames[Math.floor(elapsedMs / frameMs) % frames.length];
        const line = `${frame} ${activity ?? what} ${(elapsedMs / 1000).toFixed(0)} s`;
        stream.write(`\r\x1b[2K${line.slice(0, stream.columns - 1)}`);
        isShown = true;
      }, frameMs);
      try {
        return await promise;
      } finally {
        clearInterval(timer);
        clear();
      }
    },
  };
};

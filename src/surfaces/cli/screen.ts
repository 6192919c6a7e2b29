// The output streams of a command: results on stdout, everything else on stderr, colors and progress only for people.
import { styleText } from "node:util";
import { renderTable, toPlainText, toSafeJson, wrapProse } from "./render/plain-text.js";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const showAfterMs = 800;
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
const openProgress = (stream: NodeJS.WriteStream): Progress => {
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
        if (elapsedMs < showAfterMs || isHeld) return;
        const frame = frames[Math.floor(elapsedMs / frameMs) % frames.length];
        const line = `${frame} ${activity ?? what} ${(elapsedMs / 1000).toFixed(0)} s`;
        stream.write(`\r\x1b[2K${line.slice(0, columnsOf(stream) - 1)}`);
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

export type Style = Parameters<typeof styleText>[0];

export interface Screen {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Whether stderr is a terminal. */
  readonly isWatched: boolean;
  readonly columns: number;
  /** The width of tables. In a pipe nothing is cut, so that it can be searched. */
  readonly tableColumns: number;
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** Prose of the result, wrapped at words on a terminal. */
  readonly say: (line: string) => void;
  /** A line next to the result, wrapped at words on a terminal. */
  readonly note: (line: string) => void;
  /** The same, labelled as a warning. */
  readonly warn: (text: string) => void;
  /** A line next to the result that is not wrapped, e.g. a command to paste. */
  readonly noteWhole: (line: string) => void;
  /** Colors part of a printed line, if colors are enabled. */
  readonly style: (style: Style, text: string) => string;
  /** The same for a noted line. */
  readonly styleNote: (style: Style, text: string) => string;
  /** A table of the result, safe for a terminal. */
  readonly table: (rows: readonly (readonly string[])[], options?: ScreenTable) => void;
  /** Untrusted text: on a terminal, without control characters. */
  readonly plain: (text: string) => string;
  readonly document: (value: unknown) => void;
  /** Whether a person at the terminal can be asked. */
  readonly canAsk: boolean;
  /** The line that a person types; undefined if they cancel. */
  readonly ask: (prompt: string, signal?: AbortSignal) => Promise<string | undefined>;
  /** Waits for a promise, and shows what for if it takes long. */
  readonly during: <Value>(what: string, promise: Promise<Value>) => Promise<Value>;
  /** Background activity, shown while waiting. */
  readonly noteActivity: (activity: string | undefined) => void;
  /** Stops all output: what a command prints while it is being aborted is noise. */
  readonly mute: () => void;
  readonly flush: () => Promise<void>;
}

interface ScreenTable {
  readonly head?: readonly string[] | undefined;
  /** Styles a cell below the head. */
  readonly style?: ((column: number, text: string) => string) | undefined;
  /** Columns to shrink, in order; by default the last one. */
  readonly flexible?: readonly number[] | undefined;
}

interface ScreenOptions {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
}

/** Some terminals report a width of 0. */
const columnsOf = (stream: NodeJS.WriteStream): number => stream.columns || 80;

const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";

/** Opens the streams of this process. */
export const openScreen = ({ isJson, isVerbose }: ScreenOptions): Screen => {
  const { stdout, stderr } = process;
  // A reader such as "| head" may close the pipe early.
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  const progress = openProgress(stderr);
  let isMuted = false;
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    if (isMuted) return;
    progress.clear();
    stream.write(`${text}\n`);
  };
  // A pipe gets one line per fact; a terminal would break it in the middle of a word.
  const writeProse = (stream: NodeJS.WriteStream, line: string): void => {
    const parts = line.split("\n");
    const lines = stream.isTTY ? parts.flatMap((part) => wrapProse(part, columnsOf(stream))) : parts;
    write(stream, lines.join("\n"));
  };
  const styler =
    (stream: NodeJS.WriteStream) =>
    (style: Style, text: string): string =>
      hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;
  const style = styler(stdout);
  const styleNote = styler(stderr);
  const print = (line: string): void => write(stdout, line);
  const note = (line: string): void => writeProse(stderr, line);
  const tableColumns = stdout.isTTY ? columnsOf(stdout) : Number.POSITIVE_INFINITY;
  return {
    isJson,
    isVerbose,
    isWatched: stderr.isTTY === true,
    columns: columnsOf(stdout),
    tableColumns,
    print,
    say: (line) => writeProse(stdout, line),
    note,
    warn: (text) => note(`${styleNote("yellow", "warning")} ${text}`),
    noteWhole: (line) => write(stderr, line),
    style,
    styleNote,
    table: (rows, { head, style: styleCell, flexible } = {}) => {
      const lines = renderTable(rows, {
        columns: tableColumns,
        head,
        flexible,
        style: (row, column, text) =>
          row === "head" ? style("bold", text) : (styleCell?.(column, text) ?? text),
      });
      for (const line of lines) print(line);
    },
    plain: (text) => (stdout.isTTY ? toPlainText(text) : text),
    document: (value) => write(stdout, toSafeJson(`${JSON.stringify(value, undefined, 2)}`)),
    canAsk: !isJson && process.stdin.isTTY === true && stderr.isTTY === true,
    ask: (prompt, signal) => progress.hold(() => readLine(prompt, signal)),
    during: progress.during,
    noteActivity: progress.note,
    mute: () => {
      isMuted = true;
      void progress.hold(() => new Promise(() => {}));
    },
    flush: async () => {
      for (const stream of [stdout, stderr]) {
        await new Promise<void>((resolve) => stream.write("", () => resolve()));
      }
    },
  };
};

const readLine = async (prompt: string, signal?: AbortSignal): Promise<string | undefined> => {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const left = new Promise<undefined>((resolve) => {
      reader.once("close", () => resolve(undefined));
      signal?.addEventListener("abort", () => reader.close(), { once: true });
      reader.once("SIGINT", () => {
        process.emit("SIGINT");
        resolve(undefined);
      });
    });
    return await Promise.race([reader.question(prompt), left]);
  } finally {
    reader.close();
  }
};

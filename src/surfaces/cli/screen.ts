// The two streams of a command: results on stdout, everything else on stderr, colours and progress for people only.
import { styleText } from "node:util";
import { openProgress } from "./progress.js";
import { toPlainText, wrapProse } from "./render/plain-text.js";

export type Style = Parameters<typeof styleText>[0];

export interface Screen {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** A person looks at stderr. */
  readonly isWatched: boolean;
  readonly columns: number;
  /** The width of a table: in a pipe nothing is cut, somebody may search in it. */
  readonly tableColumns: number;
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** Prose of the result: broken at words on a terminal. */
  readonly say: (line: string) => void;
  /** A line beside the result, broken at words on a terminal. */
  readonly note: (line: string) => void;
  /** A line beside the result that is not broken, e.g. a command to paste. */
  readonly noteWhole: (line: string) => void;
  /** Colours a part of a printed line, where there are colours. */
  readonly style: (style: Style, text: string) => string;
  /** The same for a noted line. */
  readonly styleNote: (style: Style, text: string) => string;
  /** A text from elsewhere: on a terminal without anything that could steer it. */
  readonly plain: (text: string) => string;
  readonly document: (value: unknown) => void;
  /** A person sits at the terminal and can be asked. */
  readonly canAsk: boolean;
  /** The line that a person types; undefined when they leave. */
  readonly ask: (prompt: string) => Promise<string | undefined>;
  /** Waits for a promise and says what for when it takes long. */
  readonly during: <Value>(what: string, promise: Promise<Value>) => Promise<Value>;
  /** What is done besides, and shown while something is waited for. */
  readonly noteActivity: (activity: string | undefined) => void;
  /** Nothing more is written: what a command says that is ended under its hands is noise. */
  readonly mute: () => void;
  readonly flush: () => Promise<void>;
}

export interface ScreenOptions {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
}

const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";

/** Opens the process's own streams. */
export const openScreen = ({ isJson, isVerbose }: ScreenOptions): Screen => {
  const { stdout, stderr } = process;
  // A reader that has seen enough ("| head") closes the pipe: that is its right.
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
  // A pipe gets one line for one fact; a terminal would break it in the middle of a word.
  const writeProse = (stream: NodeJS.WriteStream, line: string): void => {
    const parts = line.split("\n");
    const lines = stream.isTTY ? parts.flatMap((part) => wrapProse(part, stream.columns)) : parts;
    write(stream, lines.join("\n"));
  };
  const styler =
    (stream: NodeJS.WriteStream) =>
    (style: Style, text: string): string =>
      hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;
  return {
    isJson,
    isVerbose,
    isWatched: stderr.isTTY === true,
    columns: stdout.columns ?? 80,
    tableColumns: stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY,
    print: (line) => write(stdout, line),
    say: (line) => writeProse(stdout, line),
    note: (line) => writeProse(stderr, line),
    noteWhole: (line) => write(stderr, line),
    style: styler(stdout),
    styleNote: styler(stderr),
    plain: (text) => (stdout.isTTY ? toPlainText(text) : text),
    document: (value) => write(stdout, JSON.stringify(value, undefined, 2)),
    canAsk: !isJson && process.stdin.isTTY === true && stderr.isTTY === true,
    ask: (prompt) => progress.hold(() => readLine(prompt)),
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

const readLine = async (prompt: string): Promise<string | undefined> => {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const left = new Promise<undefined>((resolve) => {
      for (const event of ["close", "SIGINT"] as const) reader.once(event, () => resolve(undefined));
    });
    return await Promise.race([reader.question(prompt), left]);
  } finally {
    reader.close();
  }
};

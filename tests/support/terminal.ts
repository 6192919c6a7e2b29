// A command at a real terminal: tests can wait for text on the screen and press keys.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

// util-linux's `script` gives a command its own terminal.
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

export interface Terminal {
  /** Waits until a text is on the screen, then presses keys. */
  readonly press: (shown: string, keys: string) => Promise<void>;
  readonly ended: Promise<number | null>;
  readonly read: () => string;
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export const openTerminal = (words: readonly string[], home: string, project: string): Terminal =>
  openTerminalLine([process.execPath, bin, ...words].map(quote).join(" "), home, project);

/** A whole line, as a shell reads it. */
export const openTerminalLine = (line: string, home: string, project: string): Terminal => {
  const child = spawn("script", ["-qfec", `stty cols 80 rows 24; ${line}`, "/dev/null"], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TERM: "xterm", NO_COLOR: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    ended,
    read: () => stripVTControlCharacters(output),
    press: async (shown, keys) => {
      await expect.poll(() => stripVTControlCharacters(output.slice(seen))).toContain(shown);
      seen = output.length;
      child.stdin.write(keys);
    },
  };
};

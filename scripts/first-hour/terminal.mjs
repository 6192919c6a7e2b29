// A shell in a real terminal (tmux) that a script types into and reads from.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const patienceMs = 120_000;

/** Opens a shell of this size with exactly this environment. Commands are typed, and the screen is what a person sees. */
export const openTerminal = async ({ folder, columns, rows, env, cwd }) => {
  // Its own server, so that nobody's sessions or settings are involved.
  const socket = join(folder, "tmux");
  const mark = join(folder, "prompts");
  const tmux = async (...words) => (await run("tmux", ["-S", socket, "-f", "/dev/null", ...words])).stdout;
  const shown = {
    ...env,
    PS1: "$ ",
    MARK: mark,
    // Counts the prompts, so that the end of a command is known without anything on the screen.
    PROMPT_COMMAND: 'N=$((N+1)); echo "$N" > "$MARK"',
    TERM: "screen-256color",
    LANG: "C.UTF-8",
  };
  const shell = ["env", "-i", ...Object.entries(shown).map(([name, value]) => `${name}=${value}`)];
  await tmux(
    ...["new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", cwd, "-s", "hour"],
    ...[...shell, "bash", "--noprofile", "--norc", "-i"],
  );
  await tmux("set-option", "-g", "history-limit", "5000");

  const until = async (what, isThere) => {
    const end = Date.now() + patienceMs;
    while (!(await isThere())) {
      if (Date.now() > end) throw new Error(`Timed out waiting for ${what}. The screen:\n${await read()}`);
      await wait(50);
    }
  };
  /** Everything since the screen was cleared, with the lines that scrolled out of it. */
  const read = async () => (await tmux("capture-pane", "-p", "-t", "hour", "-S", "-")).trimEnd();
  const countPrompts = () => {
    try {
      return Number(readFileSync(mark, "utf8"));
    } catch {
      return 0;
    }
  };
  let prompts = 1;
  await until("the first prompt", () => countPrompts() >= prompts);
  const type = (text) => tmux("send-keys", "-t", "hour", "-l", text);
  const press = (key) => tmux("send-keys", "-t", "hour", key);
  const untilShown = (text) => until(`"${text}"`, async () => (await read()).includes(text));
  const untilPrompt = async () => {
    prompts += 1;
    await until("the end of the command", () => countPrompts() >= prompts);
    // The prompt is written just after the mark.
    await until("the prompt", async () => /\n\$$/.test(`\n${await read()}`.trimEnd()));
  };
  return {
    read,
    type,
    press,
    untilShown,
    untilPrompt,
    /** Types a command on an empty screen, without waiting for its end. */
    begin: async (line) => {
      await press("C-l");
      await wait(100);
      await tmux("clear-history", "-t", "hour");
      await type(line);
      await press("Enter");
    },
    close: () => tmux("kill-server").catch(() => {}),
  };
};

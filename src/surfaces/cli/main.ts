// The command line: finds and runs the command, and turns errors into a message and an exit code.
import { CoordinatorError, isTrustGiven, toCoordinatorError } from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";
import {
  type Command,
  type CommandContext,
  type GivenOptions,
  type GivenWords,
  parseWords,
  splitCommand,
  toExitCode,
} from "./command.js";
import { commandGroups, findCommand } from "./command-table.js";
import { toPlainText } from "./render/plain-text.js";
import { openScreen, type Screen } from "./screen.js";

// Without a command, "--version" and "--help" act as commands.
const chooseCommand = (
  words: readonly string[],
): { readonly name: string; readonly rest: readonly string[] } => {
  const { name, rest } = splitCommand(words);
  if (name !== undefined) return { name, rest };
  const isVersion = words.includes("--version") || words.includes("-V");
  const flags = ["--version", "-V", "--help", "-h"];
  return { name: isVersion ? "version" : "help", rest: rest.filter((word) => !flags.includes(word)) };
};

/** Opens coordinators for a command, and closes them when it ends. */
const openCoordinators = (options: GivenOptions, screen: Screen) => {
  const opened: Coordinator[] = [];
  const open: CommandContext["open"] = async ({
    isQuiet = false,
    isUnattended = false,
    ...settings
  } = {}) => {
    const { openCoordinator, readTrusted, withOwnCommand } = await import("../../coordinator/index.js");
    const config = options.texts.config;
    // The process works in that folder.
    const project = options.texts.project === undefined || settings.config !== undefined ? undefined : ".";
    const isAllTrusted = options.facts.has("trust") || isTrustGiven(process.env);
    // Trust given for this process covers what existed at its start.
    const trust = opened[0]?.trusted ?? isAllTrusted;
    // Naming a file is a person's decision. But an entry that "init" wrote for a project names a file that others can change.
    const trustsNamed = !options.facts.has("require-trust");
    const wanted = { config, project, trust, trustsNamed, origin: "terminal", ...settings } as const;
    let coordinator = await openCoordinator(wanted);
    if (coordinator.untrusted.length > 0) {
      const trusted = readTrusted(coordinator.untrusted, options.texts.trusted?.[0]);
      if (trusted !== undefined) coordinator = await openCoordinator({ ...wanted, trust: trusted });
      else if (!isUnattended && !screen.isJson) {
        const { settleTrust } = await import("./commands/trust.js");
        if (await settleTrust(screen, coordinator.untrusted, wanted))
          coordinator = await openCoordinator(wanted);
      }
    }
    opened.push(coordinator);
    let shown = "";
    coordinator.onFetchProgress(({ done, total, server }) => {
      const text = server === undefined ? "" : `installing ${done + 1} of ${total}: ${toPlainText(server)}`;
      screen.noteActivity(text === "" ? undefined : text);
      // Without a terminal, each step is its own line.
      if (!screen.isWatched && !screen.isJson && text !== "" && text !== shown) screen.note(text);
      shown = text;
    });
    for (const warning of isQuiet ? [] : coordinator.warnings) {
      screen.warn(withOwnCommand(warning));
    }
    return coordinator;
  };
  const close = (): Promise<unknown> => Promise.allSettled(opened.map((coordinator) => coordinator.close()));
  return { open, close };
};

// The first Ctrl-C ends the command cleanly, the second at once.
const listenForSignals = (): {
  readonly signal: AbortSignal;
  readonly exitCode: () => number | undefined;
} => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(name, () => {
      if (exitCode !== undefined) process.exit(code);
      exitCode = code;
      controller.abort();
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
};

const graceMs = 2000;
const showAfterMs = 700;

const afterGrace = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), graceMs));

const untilAborted = async (signal: AbortSignal, screen: Screen): Promise<undefined> => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  const isNoted = screen.isWatched && !screen.isJson;
  if (isNoted) setTimeout(() => screen.note("Stopping; Ctrl-C again stops at once"), showAfterMs).unref();
  await afterGrace();
  screen.mute();
  return undefined;
};

// After Ctrl-C a command has a moment to end by itself. Then its coordinator is closed, and it may clean up.
const runUntilEnd = async (command: Command, given: GivenWords, screen: Screen): Promise<number> => {
  const { open, close } = openCoordinators(given.options, screen);
  const { signal, exitCode } = listenForSignals();
  const running = command.run({ ...given, screen, signal, open, groups: commandGroups, findCommand });
  try {
    const code = await Promise.race([running, untilAborted(signal, screen)]);
    return exitCode() ?? code ?? 0;
  } catch (thrown) {
    const interrupted = exitCode();
    if (interrupted === undefined) throw thrown;
    return interrupted;
  } finally {
    await close();
    if (signal.aborted) await Promise.race([running.catch(() => {}), afterGrace()]);
  }
};

/** Applies the folder and state folder of a printed command. */
const enterPlace = ({ texts }: GivenOptions): void => {
  const [folder] = texts.project ?? texts.folder ?? [];
  const [state] = texts["state-folder"] ?? [];
  if (state !== undefined) process.env.MCP_COORDINATOR_STATE_FOLDER = state;
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch (cause) {
    const message = `Cannot work in "${folder}": it is not an accessible folder`;
    const name = texts.project === undefined ? "folder" : "project";
    throw new CoordinatorError("USAGE", message, { cause, hint: `Give --${name} an existing folder.` });
  }
};

const runCommand = async (words: readonly string[]): Promise<{ screen: Screen; exitCode: number }> => {
  const end = words.indexOf("--");
  const isGiven = (option: string): boolean => words.slice(0, end < 0 ? undefined : end).includes(option);
  const screen = openScreen({ isJson: isGiven("--json"), isVerbose: isGiven("--verbose") });
  try {
    if (words.length === 0) {
      const { renderFirstHelp } = await import("./commands/help.js");
      for (const line of renderFirstHelp(screen, commandGroups)) screen.print(line);
      return { screen, exitCode: 0 };
    }
    const { name, rest } = chooseCommand(words);
    const command = await findCommand(name);
    const given = await parseWords(command, rest);
    enterPlace(given.options);
    if (given.options.facts.has("help")) {
      const { renderCommandHelp } = await import("./commands/help.js");
      for (const line of renderCommandHelp(screen, command)) screen.print(line);
      return { screen, exitCode: 0 };
    }
    if (given.words.length > 0) {
      const { refuseStrayWords } = await import("./completion/suggest-words.js");
      refuseStrayWords(command, given.words);
    }
    return { screen, exitCode: await runUntilEnd(command, given, screen) };
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    const { noteError, printErrorDocument } = await import("./render/error.js");
    if (screen.isJson) printErrorDocument(screen, error);
    if (!screen.isJson || screen.isVerbose) noteError(screen, error);
    return { screen, exitCode: toExitCode(error) };
  }
};

/** Runs one command line, and ends the process with its exit code. */
export const main = async (words: readonly string[]): Promise<never> => {
  const { screen, exitCode } = await runCommand(words);
  await screen.flush();
  process.exit(exitCode);
};

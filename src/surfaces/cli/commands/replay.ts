// `replay`: repeats a recorded run without any server.
import { readFile } from "node:fs/promises";
import type { Command } from "../command.js";
import { usage } from "../read-words.js";
import { showRun, watchRun } from "./run.js";

const readCassette = async (file: string): Promise<string> => {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const state = code === "ENOENT" ? "there is no such file" : (code ?? "it cannot be read");
    throw usage(`replay "${file}"`, `${state}, expected a file that runs export has written`, "replay");
  }
};

export const replay: Command = {
  name: "replay",
  usage: ["replay FILE"],
  description:
    "Calls no server and needs no configuration. Reports on stderr whether the run ended as recorded.",
  examples: [["mcp-coordinator replay report.cassette", "A file written by runs export"]],
  options: {},
  run: async ({ screen, open, words, signal }) => {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0)
      throw usage("replay a run", `${words.length} files are given, expected one`, "replay");
    const cassette = await readCassette(file);
    const coordinator = await open({ config: { mcpServers: {} }, isQuiet: true });
    const replaying = coordinator.replayRun({
      cassette,
      signal,
      ...watchRun({ screen, coordinator }),
    });
    const exitCode = await showRun(
      { screen, coordinator, signal },
      replaying.then(({ result }) => result),
    );
    const { isSame } = await replaying;
    screen.note(isSame ? "the same as recorded" : "not the same as recorded");
    return exitCode;
  },
};

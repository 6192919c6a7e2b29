// Tries the walls of this machine, strongest first, and reports which one really stands.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { findBubblewrap } from "../../walls/bubblewrap-arguments.js";
import { seatbeltCommand } from "../../walls/seatbelt-profile.js";
import type { Interpreter } from "./interpreter.js";
import { toWallCommand, type WallKind } from "./wall-command.js";

export type WallChoice =
  | { readonly kind: WallKind; readonly walls: readonly string[]; readonly missing: readonly string[] }
  | { readonly kind: undefined; readonly missing: readonly string[] };

export interface ChooseWallOptions {
  readonly interpreter: Interpreter;
  readonly temporaryBytes: number;
  /** Accept only this one. */
  readonly wall?: WallKind | undefined;
}

const run = promisify(execFile);

/** Puts up each wall once, around nothing, until one stands. */
export const chooseWall = async (options: ChooseWallOptions): Promise<WallChoice> => {
  const missing: string[] = [];
  for (const kind of options.wall === undefined ? kindsOf(process.platform) : [options.wall]) {
    const tried = await tryWall(kind, options);
    if (typeof tried !== "string") return { kind, walls: tried, missing };
    missing.push(`${kind}: ${tried}`);
  }
  return { kind: undefined, missing };
};

const kindsOf = (platform: NodeJS.Platform): readonly WallKind[] => {
  if (platform === "linux") return ["bubblewrap", "self"];
  return platform === "darwin" ? ["seatbelt"] : [];
};

/** The walls in force, or why they are not. */
const tryWall = async (
  kind: WallKind,
  { interpreter, temporaryBytes }: ChooseWallOptions,
): Promise<readonly string[] | string> => {
  if (kind === "bubblewrap" && findBubblewrap() === undefined) return "it is not installed";
  if (kind === "seatbelt" && !existsSync(seatbeltCommand)) return "there is no sandbox-exec";
  const { command, args, environment } = toWallCommand({ kind, interpreter, preload: [], temporaryBytes });
  try {
    const { stdout } = await run(command, args, { env: environment, timeout: 20_000 });
    const answer = JSON.parse(stdout) as {
      readonly walls?: readonly string[] | undefined;
      readonly reason?: string | undefined;
    };
    return answer.walls ?? answer.reason ?? "it reported nothing";
  } catch (thrown) {
    const { stderr = "", message } = thrown as {
      readonly stderr?: string | undefined;
      readonly message: string;
    };
    return stderr.trim().split("\n").at(-1) || message;
  }
};

// Definitions of the fixture servers, and a fixture started by hand if it listens on a port.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StdioTarget, UpstreamTimeouts, WiredDefinition } from "../../src/contracts/index.js";

/** The path of a fixture server, e.g. `fixturePath("echo")`. */
export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/servers/${name}.mjs`, import.meta.url));

export interface FixtureOptions extends Partial<Omit<StdioTarget, "kind">> {
  /** The configured name. @default the fixture's */
  readonly name?: string;
  readonly timeouts?: Partial<UpstreamTimeouts>;
}

/** The definition of a fixture that speaks over stdio; `args` come after its path. */
export const stdioFixture = (fixture: string, options: FixtureOptions = {}): WiredDefinition => {
  const { name = fixture, timeouts, args = [], command = process.execPath, env = {}, cwd } = options;
  return {
    name,
    target: {
      kind: "stdio",
      command,
      args: [fixturePath(fixture), ...args],
      env,
      ...(cwd === undefined ? {} : { cwd }),
    },
    written: fixture,
    isEnabled: true,
    source: "test",
    ...(timeouts === undefined ? {} : { timeouts }),
  };
};

export interface RunningFixture {
  readonly port: number;
  /** Ends the process; resolves when it has exited. */
  readonly stop: () => Promise<void>;
}

/** Starts a fixture that prints "port N". */
export const startFixture = async (
  fixture: string,
  args: readonly string[] = [],
): Promise<RunningFixture> => {
  const child = spawn(process.execPath, [fixturePath(fixture), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    port: Number(line.replace("port ", "")),
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
};

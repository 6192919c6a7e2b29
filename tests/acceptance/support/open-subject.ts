// The server that other clients are tested with: ours with one upstream, over stdio and HTTP.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fixturePath } from "../../support/fixture-servers.js";
import { startHttp } from "../../support/transports.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

export interface Subject {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly url: string;
  /** Entries for a client's configuration. */
  readonly stdio: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Record<string, string>;
  };
  readonly http: { readonly url: string; readonly headers: Record<string, string> };
  readonly close: () => Promise<void>;
}

/** `servers`: instead of the fixture `echo`. */
export const openSubject = async (
  words: readonly string[] = [],
  servers?: Readonly<Record<string, unknown>>,
): Promise<Subject> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "coordinator-acceptance-")));
  const config = join(folder, "servers.json");
  const echo = { command: process.execPath, args: [fixturePath("echo")] };
  writeFileSync(config, JSON.stringify({ mcpServers: servers ?? { echo } }));
  const env = {
    HOME: folder,
    USERPROFILE: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_CONFIG_HOME: join(folder, "config"),
  };
  const { url, token, stop } = await startHttp({ config, env, words });
  return {
    folder,
    env,
    url,
    stdio: { command: process.execPath, args: [bin, "serve", "--config", config], env },
    http: { url, headers: token === "" ? {} : { Authorization: `Bearer ${token}` } },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

// A machine on which nothing was ever installed: a new home, files for servers that want some, the environment of a person's shell.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** How the network is reached is the machine's own. The Node that runs us is not the one that a person has. */
const isTaken = (name) =>
  /^(?:PATH|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(?:HTTPS?|NO)_PROXY)$/i.test(name);

export const makeMachine = () => {
  const home = mkdtempSync(join(tmpdir(), "coordinator-servers-"));
  const folder = join(home, "files");
  mkdirSync(join(folder, "vault", ".obsidian"), { recursive: true });
  writeFileSync(join(folder, "README.md"), "# README\n");
  writeFileSync(join(folder, "test.db"), "");
  spawnSync("git", ["init", "--quiet", folder]);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isTaken(name)));
  const path = (env.PATH ?? "").split(":").filter((one) => one !== dirname(process.execPath));
  const settings = { cacheFolder: join(home, "cache"), stateFolder: join(home, "state") };
  return { home, folder, settings, environment: { ...env, PATH: path.join(":"), HOME: home } };
};

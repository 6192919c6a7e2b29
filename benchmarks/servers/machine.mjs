// A machine without any installed package: a new home folder, files for servers that need some, the environment of a shell.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Network settings come from the machine. The Node that runs us is not on its search path. */
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

// The known flags of package runners, and how each affects fetching in advance.

/**
 * `none` has no effect. `keep` is passed to the installer, `keep value` with the next word. `spec` names a package,
 * `extra` an additional package.
 */
export type FlagMeaning = "none" | "none value" | "keep" | "keep value" | "spec" | "extra";

export type FlagTable = Readonly<Record<string, FlagMeaning>>;

const names = (meaning: FlagMeaning, ...flags: readonly string[]): FlagTable =>
  Object.fromEntries(flags.map((flag) => [flag, meaning]));

const npm: FlagTable = {
  ...names("none", "-y", "--yes", "-q", "--quiet", "-s", "--silent", "--prefer-online", "--prefer-offline"),
  ...names("none", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress"),
  ...names("none value", "--loglevel"),
  ...names("keep", "--ignore-scripts", "--legacy-peer-deps"),
  ...names("keep value", "--registry"),
  ...names("spec", "-p", "--package"),
};

const uv: FlagTable = {
  ...names("none", "-q", "--quiet", "--no-progress"),
  ...names("keep", "--native-tls", "--no-cache", "-n"),
  ...names("keep value", "-p", "--python", "--index", "--default-index", "-i", "--index-url"),
  ...names("keep value", "--extra-index-url", "--index-strategy", "--prerelease", "--exclude-newer"),
  ...names("spec", "--from"),
  ...names("extra", "--with"),
};

const container: FlagTable = {
  ...names(
    "none",
    "-i",
    "-t",
    "-d",
    "-P",
    "-it",
    "-ti",
    "--rm",
    "--init",
    "--interactive",
    "--tty",
    "--detach",
  ),
  ...names("none", "--privileged", "--read-only", "--publish-all", "--no-healthcheck", "--sig-proxy"),
  ...names(
    "none value",
    "-e",
    "-v",
    "-p",
    "-w",
    "-u",
    "-h",
    "-l",
    "-m",
    "-c",
    "--env",
    "--env-file",
    "--volume",
  ),
  ...names("none value", "--mount", "--publish", "--workdir", "--user", "--hostname", "--label", "--memory"),
  ...names(
    "none value",
    "--name",
    "--network",
    "--net",
    "--add-host",
    "--entrypoint",
    "--cap-add",
    "--cap-drop",
  ),
  ...names("none value", "--security-opt", "--cpus", "--gpus", "--tmpfs", "--dns", "--ulimit", "--shm-size"),
  ...names("none value", "--ipc", "--pid", "--userns", "--group-add", "--device", "--expose", "--link"),
  ...names("none value", "--log-driver", "--restart", "--stop-signal", "--volumes-from", "--pids-limit"),
  ...names("none value", "--memory-swap", "--runtime", "--cgroupns", "--init-path", "--add-dir"),
  ...names("keep value", "--platform"),
};

const pnpm: FlagTable = {
  ...names("none", "-s", "--silent", "--color", "--no-color"),
  ...names("none value", "--reporter", "--loglevel"),
  ...names("keep value", "--registry"),
  ...names("spec", "--package"),
};

const yarn: FlagTable = { ...names("none", "-q", "--quiet"), ...names("spec", "-p", "--package") };

const bun: FlagTable = {
  ...names("none", "-y", "--yes", "--silent", "--verbose"),
  ...names("spec", "-p", "--package"),
};

const pipx: FlagTable = {
  ...names("none", "-q", "--quiet", "-v", "--verbose", "--no-cache"),
  ...names("keep value", "--python", "-i", "--index-url"),
  ...names("spec", "--spec"),
};

/** For these only the package is read: the command is always started as written. */
const deno: FlagTable = {
  ...names(
    "none",
    "-q",
    "--quiet",
    "-A",
    "-N",
    "-R",
    "-W",
    "-E",
    "-S",
    "-P",
    "-r",
    "--reload",
    "--no-prompt",
  ),
  ...names(
    "none",
    "--allow-all",
    "--allow-net",
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-run",
  ),
  ...names("none", "--allow-sys", "--allow-ffi", "--no-check", "--no-lock", "--no-config", "--cached-only"),
  ...names(
    "none value",
    "-c",
    "--config",
    "--import-map",
    "--cert",
    "--location",
    "--seed",
    "-L",
    "--log-level",
  ),
};

export const flagTables = { npm, uv, container, pnpm, yarn, bun, pipx, deno };

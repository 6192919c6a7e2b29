// Diagnoses why a server did not start, from the output of its process or installer, and suggests a fix. Pure.
import { toProgramName } from "./launch/parse-runner.js";

/** The reason, as a word for scripts. */
export type StartReason =
  | "node-version"
  | "python-missing"
  | "python-version"
  | "module-missing"
  | "command-missing"
  | "container-runtime"
  | "package-unknown"
  | "registry-refused"
  | "network"
  | "certificate"
  | "installation-damaged"
  | "architecture"
  | "disk-full"
  | "variable-missing";

export interface StartFacts {
  /** As written in the definition, with or without a folder. */
  readonly command: string;
  /** The package or image, if a package runner starts it. */
  readonly package?: string | undefined;
  readonly exitCode?: number | undefined;
  /** The operating system's error code if the process could not be started. */
  readonly systemCode?: string | undefined;
  readonly stderr?: string | undefined;
  /** The folder of the installed package. Removing it makes the package install again. */
  readonly installFolder?: string | undefined;
  /** The Node that starts it, and the versions that its package accepts. */
  readonly node?: { readonly version: string; readonly required: string } | undefined;
}

export interface StartDiagnosis {
  readonly reason: StartReason;
  /** Follows `Cannot start "x": `. */
  readonly state: string;
  readonly hint: string;
}

/** The reason is near the end, so only the tail is searched. */
const maxLength = 16 * 1024;

/** Harmless npm warnings and update notices. */
export const isInstallerNoise = (line: string): boolean => /^npm (?:warn|notice)\b/i.test(line.trimStart());

type Render = (found: readonly string[], facts: StartFacts) => string;

const newerNode =
  'Install a newer Node, or give its full path as "command". Unless "launch" is "as written", the Node that runs mcp-coordinator is used if it fits.';
const network =
  "Check the network, the proxy (HTTPS_PROXY) and the registry of your settings, then try again.";
const reinstall: Render = (_, { installFolder }) =>
  `Run "mcp-coordinator doctor --fix": it removes "${installFolder}", and the package is installed again.`;

interface Rule {
  readonly reason: StartReason;
  readonly pattern: RegExp;
  readonly state: Render;
  readonly hint: Render;
  readonly isMeant?: ((facts: StartFacts) => boolean) | undefined;
}

const isPackage = (facts: StartFacts): boolean => facts.package !== undefined;
const isInstalled = (facts: StartFacts): boolean => facts.installFolder !== undefined;

const rule = (
  reason: StartReason,
  pattern: RegExp,
  state: Render | string,
  hint: Render | string,
  isMeant?: Rule["isMeant"],
): Rule => ({
  reason,
  pattern,
  state: typeof state === "string" ? () => state : state,
  hint: typeof hint === "string" ? () => hint : hint,
  isMeant,
});

/** The first match decides. Unambiguous rules come first. */
const rules: readonly Rule[] = [
  rule(
    "node-version",
    /No such built-in module: (node:[\w/]{1,60})/,
    ([module]) => `its Node is too old: it has no module "${module}"`,
    newerNode,
  ),
  rule(
    "node-version",
    /^npm (?:error|ERR!) notsup Required: +\{"node":"([^"]{1,100})"/m,
    ([range]) => `its package needs Node ${range}`,
    newerNode,
  ),
  rule(
    "node-version",
    /: bad option: (--[\w-]{1,60})/,
    ([flag]) => `its Node does not know "${flag}"`,
    newerNode,
  ),
  rule(
    "container-runtime",
    /Cannot connect to the Docker daemon|failed to connect to the docker API|error during connect: |unable to connect to Podman|Cannot connect to Podman/i,
    (_, { command }) => `${toProgramName(command)} is installed, but its daemon is not running`,
    (_, { command }) =>
      toProgramName(command) === "podman"
        ? 'Start it with "podman machine start", then try again.'
        : 'Start Docker Desktop, or the service with "sudo systemctl start docker", then try again.',
  ),
  rule(
    "container-runtime",
    /permission denied while trying to connect to the Docker (?:daemon|API)/i,
    "your user is not allowed to use Docker",
    'Add your user to the group "docker" and sign in again, or use rootless Docker or Podman.',
  ),
  rule(
    "certificate",
    /SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_HAS_EXPIRED|invalid peer certificate|x509: certificate|CERTIFICATE_VERIFY_FAILED/,
    "the certificate of its registry is not trusted on this machine",
    "Name your company's certificate in NODE_EXTRA_CA_CERTS (npm) or SSL_CERT_FILE (uv), then try again.",
  ),
  rule(
    "network",
    /^npm (?:error|ERR!) code (E(?:CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT|NETUNREACH|HOSTUNREACH|PIPE)|ERR_SOCKET_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE|EIDLETIMEOUT)/m,
    ([code]) => `its registry cannot be reached (${code})`,
    network,
  ),
  rule(
    "network",
    /cause: (?:error sending request|dns error|tcp connect error)|Failed to establish a new connection|dial tcp[: ]|TLS handshake timeout|lookup [\w.-]{1,253}.{0,60}no such host/,
    "its registry cannot be reached",
    network,
  ),
  rule(
    "registry-refused",
    /^npm (?:error|ERR!) code (E401|E403|ENEEDAUTH)|401 Unauthorized|403 Forbidden/m,
    "its registry refused access",
    'Sign in to the registry ("npm login", or the token in its settings), then try again.',
  ),
  rule(
    "package-unknown",
    /^npm (?:error|ERR!) code (?:E404|ETARGET)|was not found in the package registry|No matching distribution found for|there is no version of|pull access denied for|manifest unknown|manifest for \S{1,200} not found/m,
    (_, facts) => `its registry has no package "${facts.package}", or not in that version`,
    'Correct the name and the version in "args"; a private package needs its registry in your settings.',
    isPackage,
  ),
  rule(
    "python-version",
    /the current Python version \(([\d.]{1,20})\) does not satisfy Python([<>=!~][^\s,]{0,20})/,
    ([has, wants]) => `it needs Python ${wants}, but this is ${has}`,
    'Name another Python: "args": ["--python", "3.13", …] of uvx installs it.',
  ),
  rule(
    "python-missing",
    /No interpreter found|Could not find any Python installation|Python was not found; run without arguments|env: .?python[\d.]{0,6}.?: No such file|python[\d.]{0,6}: (?:command )?not found/,
    "it needs Python, but none was found",
    "Install Python 3, or uv (https://docs.astral.sh/uv), which brings its own.",
  ),
  rule(
    "installation-damaged",
    /^npm (?:error|ERR!) code (?:EINTEGRITY|TAR_BAD_ARCHIVE|Z_BUF_ERROR)/m,
    "its archive is damaged: its content does not match the registry",
    'Run "npm cache verify", then try again.',
  ),
  rule(
    "installation-damaged",
    /^npm (?:error|ERR!) code (?:ENOTEMPTY|EISDIR|EEXIST|ENOENT)/m,
    "its npm installation is damaged",
    reinstall,
    isInstalled,
  ),
  rule(
    "installation-damaged",
    /^(?:sh|bash|zsh): (?:\d{1,4}: |line \d{1,4}: )?[\w.@/-]{1,200}: (?:command )?not found|is not recognized as an internal or external command/m,
    "its installation is damaged: its program is missing",
    reinstall,
    isInstalled,
  ),
  rule(
    "installation-damaged",
    /(?:Cannot find (?:module|package) |No module named )'?([^'\n]{1,200})/,
    ([module]) => `its installation is damaged: "${module}" is missing`,
    reinstall,
    isInstalled,
  ),
  rule(
    "module-missing",
    /No module named '?([\w.]{1,100})/,
    ([module]) => `its Python has no module "${module}"`,
    ([module]) => `Install the package that has "${module}" into that Python, or start the server with uvx.`,
  ),
  rule(
    "module-missing",
    /Cannot find (?:module|package) '([^'\n]{1,200})'/,
    ([module]) => `it cannot find "${module}", which it needs`,
    "Install what the server needs, for example with npm install in its folder, or correct the path in its definition.",
  ),
  rule(
    "architecture",
    /[Ee]xec format error|: 1: .{0,3}ELF|Bad CPU type in executable|EBADPLATFORM|invalid ELF header|wrong ELF class|incompatible architecture|installed esbuild for another platform|does not match the detected host platform/,
    `it is built for another platform than this one, ${process.platform} ${process.arch}`,
    'Install the build for this machine; for an image, name one with "--platform".',
  ),
  rule(
    "disk-full",
    /ENOSPC|[Nn]o space left on device/,
    "the disk is full",
    "Free some disk space, then try again.",
  ),
];

const variableName = /\b[A-Z][A-Z\d]{0,40}(?:_[A-Z\d]{1,40}){1,8}\b/g;
const asksForVariable =
  /environment variable|env(?:ironment)? var|(?:is|are) (?:required|missing|not set|not defined|undefined)|must be (?:set|provided|defined)|please (?:set|provide|define)|missing (?:required )?|^KeyError: /i;

/** Names like `SLACK_BOT_TOKEN` in a line that asks for them. */
const findVariables = (lines: readonly string[]): readonly string[] => {
  for (const line of lines.toReversed()) {
    const short = line.slice(0, 500);
    if (!asksForVariable.test(short)) continue;
    const names = (short.match(variableName) ?? []).filter(
      (one) => !/^(?:ERR_|E[A-Z]+$|MODULE_NOT_)/.test(one),
    );
    if (names.length > 0) return [...new Set(names)].slice(0, 5);
  }
  return [];
};

/** Diagnoses a command that is not installed. */
export const diagnoseMissing = (command: string): StartDiagnosis => {
  const program = toProgramName(command);
  const state = `there is no command "${command}" in PATH or in the usual folders`;
  if (/^(?:docker|podman)$/.test(program)) {
    const hint = "Install Docker (https://docs.docker.com/get-docker) or Podman, then try again.";
    return { reason: "container-runtime", state, hint };
  }
  if (/^python[\d.]*$|^pip[\dx]*$/.test(program)) {
    const hint = "Install Python 3, or start the server with uvx (https://docs.astral.sh/uv).";
    return { reason: "python-missing", state, hint };
  }
  const hint = /^uvx?$/.test(program)
    ? "Install uv (https://docs.astral.sh/uv), then try again."
    : /^(?:node|npx|npm)$/.test(program)
      ? 'Install Node (https://nodejs.org), or give the full path as "command".'
      : `Install "${command}", or give its full path as "command".`;
  return { reason: "command-missing", state, hint };
};

/** Returns undefined if the reason is not certain. Then the server's own output is shown. */
export const diagnoseStart = (facts: StartFacts): StartDiagnosis | undefined => {
  const lines = (facts.stderr ?? "")
    .slice(-maxLength)
    .split(/\r?\n/)
    .filter((line) => !isInstallerNoise(line));
  const isForeign = /^(?:ENOEXEC|EBADARCH)$/.test(facts.systemCode ?? "");
  const text = isForeign ? "exec format error" : lines.join("\n");
  for (const { reason, pattern, state, hint, isMeant } of rules) {
    const found = isMeant?.(facts) === false ? null : pattern.exec(text);
    if (found === null) continue;
    const groups = found.slice(1);
    return { reason, state: state(groups, facts), hint: hint(groups, facts) };
  }
  const variables = findVariables(lines);
  if (variables.length > 0) {
    const quoted = variables.map((one) => `"${one}"`).join(", ");
    return {
      reason: "variable-missing",
      state: `it requires the ${variables.length === 1 ? "variable" : "variables"} ${quoted}`,
      hint: `Add to its definition: "env": { ${variables.map((one) => `"${one}": "\${${one}}"`).join(", ")} }.`,
    };
  }
  if (facts.node === undefined) return undefined;
  const { version, required } = facts.node;
  return {
    reason: "node-version",
    state: `it needs Node ${required}, but ${version} started it`,
    hint: newerNode,
  };
};

// Variables of an entry: expands references to them, and recognizes those that decide what runs or hold secrets.
// The process environment wins, then the `.env` files nearest to the entry.
import { readFileSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { parseEnv } from "node:util";
import { CoordinatorError } from "../contracts/index.js";
import { isWithin } from "./find-files.js";
import { quoteText } from "./parse-json.js";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the variables of one file, or `undefined` if it cannot be read. */
export type ReadEnvironmentFile = (path: string) => Variables | undefined;

const maxBytes = 1024 * 1024;

const read: ReadEnvironmentFile = (path) => {
  try {
    // An untrusted folder may contain a link to a pipe or device, which could block or never end.
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > maxBytes) return undefined;
    return parseEnv(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

export const createEnvironmentFileReader = (): ReadEnvironmentFile => {
  const known = new Map<string, Variables | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
};

/** Returns a variable's value from the first layer that has it. Later layers stay unread. */
const readVariable = (name: string, layers: readonly (() => Variables | undefined)[]): string | undefined => {
  for (const layer of layers) {
    const variables = layer();
    // Own names only: "${constructor}" is not a variable.
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
  }
  return undefined;
};

export interface VariableSource {
  /** Names that are not environment variables, e.g. `workspaceFolder`. */
  readonly constants: ReadonlyMap<string, string>;
  readonly read: (name: string) => string | undefined;
  /** Called for a reference without a value. `isPrompt`: only an editor can supply it, or it prompts the user. */
  readonly onMissing: (name: string, isPrompt: boolean) => void;
}

// Allows one nested pair of braces, for a default that holds a reference or an object.
// linear: a start within another's body belongs to a closed pair, so it matches at once
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const grammar = /^(?:env:(?<environment>[^:]+)|(?<name>[A-Za-z_]\w*))(?::-(?<fallback>.*))?$/s;
const prompt = /^(?:input|command|config):/;

/** Expands one text. Other kinds of references are left alone. Values are not expanded again. */
export const expandVariables = (text: string, source: VariableSource): string =>
  text.replace(reference, (written: string, body: string) => {
    const constant = source.constants.get(body);
    if (constant !== undefined) return constant;
    if (prompt.test(body)) {
      source.onMissing(body, true);
      return written;
    }
    const parts = grammar.exec(body)?.groups;
    const name = parts?.environment ?? parts?.name;
    if (name === undefined) return written;
    const value = source.read(name);
    const fallback = parts?.fallback;
    // As in a shell, the default also replaces an empty value.
    if (fallback !== undefined) return value ? value : expandVariables(fallback, source);
    if (value !== undefined) return value;
    source.onMissing(name, false);
    return written;
  });

/** Lists the references in a text as written, e.g. "${TOKEN}". */
export const listReferences = (text: string): readonly string[] => text.match(reference) ?? [];

export interface ExpanderContext {
  readonly environment: Variables;
  readonly readEnvironmentFile: ReadEnvironmentFile;
  readonly workingFolder: string;
  readonly homeFolder: string;
  /** Whether the working folder's `.env` may supply variables to a configuration in another folder. */
  readonly mayUseProjectVariables: () => boolean;
}

export interface ExpanderOptions extends ExpanderContext {
  /** Variables of the entry's own `envFile`. */
  readonly fileVariables: Variables;
  /** The folder whose `.env` belongs to the configuration. */
  readonly folder: string;
  readonly onMissing: (missing: MissingVariable) => void;
}

export type Expand = (text: string, field: string) => string;

export const createExpander = (options: ExpanderOptions): Expand => {
  const { environment, readEnvironmentFile, workingFolder, homeFolder, fileVariables, folder } = options;
  const constants = new Map([
    ["workspaceFolder", workingFolder],
    ["workspaceFolderBasename", basename(workingFolder)],
    ["userHome", homeFolder],
    ["pathSeparator", sep],
    ["/", sep],
  ]);
  const layers = [
    () => environment,
    () => fileVariables,
    () => readEnvironmentFile(join(folder, ".env")),
    () =>
      isWithin(folder, workingFolder) || options.mayUseProjectVariables()
        ? readEnvironmentFile(join(workingFolder, ".env"))
        : undefined,
  ];
  return (text, field) =>
    expandVariables(text, {
      constants,
      read: (variable) => readVariable(variable, layers),
      onMissing: (variable, isPrompt) => options.onMissing({ field, variable, isPrompt }),
    });
};

export interface MissingVariable {
  readonly field: string;
  readonly variable: string;
  /** Only an editor can supply the value, or it prompts the user. */
  readonly isPrompt: boolean;
}

const describe = ({ field, variable, isPrompt }: MissingVariable): string =>
  isPrompt
    ? `field ${quoteText(field)} uses ${quoteText(`\${${variable}}`)}, which only an editor can supply`
    : `field ${quoteText(field)} uses the variable ${quoteText(variable)}, which is not set`;

export const toMissingError = (
  server: string,
  source: string,
  missing: readonly MissingVariable[],
  isInProject = false,
): CoordinatorError | undefined => {
  if (missing.length === 0) return undefined;
  const states = [...new Set(missing.map(describe))].join("; ");
  const hint = missing.some(({ isPrompt }) => isPrompt)
    ? "Set an environment variable and refer to it instead: ${NAME}."
    : isInProject
      ? 'The ".env" of this folder has it, but is not trusted yet. Review it and run "mcp-coordinator trust", or set the variable.'
      : undefined;
  const details = { source, missing: missing.map(({ field, variable }) => ({ field, variable })) };
  const message = `Cannot use server ${quoteText(server)}: ${states}`;
  return new CoordinatorError("CONFIG_VARIABLE_MISSING", message, { hint, details });
};

/** Matched as prefixes, because new variables appear with every release. */
const steeringPrefixes = [
  // Dynamic linkers and the C library.
  "LD_ DYLD_ GCONV_ GLIBC_ MALLOC_ LIBPATH SHLIB_PATH",
  // Node, runtimes built on it and its package managers.
  `NODE_ NPM_ YARN_ PNPM_ COREPACK_ BUN_ DENO_ TS_NODE_ TSX_ VOLTA_ NVM_ FNM_ ELECTRON_ PUPPETEER_
    PLAYWRIGHT_ CHROME_`,
  // Python and its package managers.
  "PYTHON PIP_ UV_ PIPX_ PIPENV_ POETRY_ HATCH_ PDM_ PYENV_ CONDA_ MAMBA_ VIRTUAL_ENV JUPYTER_ IPYTHON",
  // Ruby, Perl, PHP, Lua, R.
  "RUBY GEM_ BUNDLE_ RBENV_ PERL PHP COMPOSER_ LUA_ R_PROFILE R_ENVIRON R_LIBS",
  // Java and JVM languages.
  "JAVA_ _JAVA_ JDK_ JRE_ CLASSPATH MAVEN_ MVN M2_ GRADLE_ SBT_ KOTLIN_ SCALA_",
  // .NET.
  "DOTNET_ CORECLR_ COR_ COMPLUS_ NUGET_ MSBUILD ASPNETCORE_",
  // Go, Rust, compilers and build tools.
  "CGO_ CARGO_ RUSTC RUSTUP_ RUSTFLAGS CFLAGS LDFLAGS MAKE CMAKE_ PKG_CONFIG",
  // git, ssh, version managers.
  "GIT_ SSH_ SVN_ ASDF_ MISE_ RTX_ DIRENV_ NIX_ HOMEBREW_",
  // Shells and terminals.
  "BASH_ ZDOTDIR SHELLOPTS BASHOPTS PROMPT_COMMAND FPATH TERMINFO LESS PSMODULEPATH COMSPEC",
  // Locations of files, configuration and helper programs.
  `XDG_ TMP TEMP APPDATA LOCALAPPDATA PROGRAMDATA USERPROFILE HOMEDRIVE HOMEPATH OPENSSL_ SSL_ GTK_ QT_
    GIO_ GST_ VIM EMACS MAGICK_ FONTCONFIG_ TCLLIBPATH`,
  // Cloud and container tools: their endpoints and helper programs.
  `DOCKER_ CONTAINER_ CONTAINERS_ BUILDKIT_ KUBE HELM_ TF_ AWS_ AZURE_ CLOUDSDK_ GOOGLE_APPLICATION_ BOTO_
    ANSIBLE_ VAULT_ADDR VAULT_AGENT CURL_ WGET REQUESTS_CA`,
].flatMap((group) => group.split(/\s+/));

const steeringNames = new Set(
  `PATH PATHEXT HOME SHELL ENV IFS PS4 CDPATH BROWSER EDITOR VISUAL PAGER MANPAGER MAILCAPS SUDO_ASKPASS
    HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY GOFLAGS GOPROXY GOPATH GOROOT GOENV GOBIN GOCACHE
    GOMODCACHE GOTOOLCHAIN GOSUMDB GONOSUMDB GONOPROXY GOPRIVATE GOINSECURE GODEBUG CC CXX HG HGRCPATH
    HGEDITOR HOSTALIASES RES_OPTIONS LOCALDOMAIN NLSPATH LOCPATH TZDIR AR AS LD CPP WINDIR SYSTEMROOT
    SYSTEMDRIVE PROGRAMFILES NETRC PGSERVICEFILE PGSYSCONFDIR MYSQL_HOME`.split(/\s+/),
);

/** Parts of names of secrets. A secret can change without changing what runs. */
const secretParts =
  /token|secret|passw|passphrase|passkey|api_?key|access_?key|private_?key|signing_?key|auth_?key|[_-]key$|^key$|[_-]pat$|^pat$|credential|authorization|cookie|dsn$/i;

/** Pure credentials, whatever their prefix: NPM_TOKEN, AWS_SECRET_ACCESS_KEY, npm_config_//host/:_authToken. */
const credential = /(?:token|password|passwd|secret|api_?key|access_key|access_key_id|private_key|:_auth)$/i;

/** Whether a variable can make a harmless command run other code or contact another host. Ignores case. */
export const isSteering = (name: string): boolean => {
  const upper = name.toUpperCase();
  if (steeringNames.has(upper)) return true;
  return !credential.test(upper) && steeringPrefixes.some((prefix) => upper.startsWith(prefix));
};

/** Names that describe a secret's source: its location, issuer or helper command. */
const besideSecret =
  /(?:url|uri|endpoint|host|hostname|addr|address|server|file|path|dir|folder|command|cmd|helper|script|program|provider|issuer|proxy|plugin)$/i;

/** Whether to hide the value of a variable or header: it is named like a secret and steers nothing. */
export const isSecretName = (name: string): boolean =>
  secretParts.test(name) && !isSteering(name) && !besideSecret.test(name);

const replaceable =
  /(?:token|passw(?:or)?d|passphrase|secret|key|key_id|pat|credentials?|authorization|cookie|:_auth)$/i;

/** Whether a new value changes neither what runs nor where data goes: a token, but not an address that contains one. */
export const isReplaceable = (name: string, value: string): boolean =>
  isSecretName(name) && replaceable.test(name) && !value.includes("://");

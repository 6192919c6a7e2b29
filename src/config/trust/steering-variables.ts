// Recognizes variables that decide which code a process runs or where it sends data, and names of secrets.

/** Matched as prefixes, because new variables appear with every release. */
const prefixes = [
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

const names = new Set(
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
  if (names.has(upper)) return true;
  return !credential.test(upper) && prefixes.some((prefix) => upper.startsWith(prefix));
};

/** Names that describe a secret's source: its location, issuer or helper command. */
const besideSecret =
  /(?:url|uri|endpoint|host|hostname|addr|address|server|file|path|dir|folder|command|cmd|helper|script|program|provider|issuer|proxy|plugin)$/i;

/** Whether to hide the value of a variable or header: it is named like a secret and steers nothing. */
export const isSecretName = (name: string): boolean =>
  secretParts.test(name) && !isSteering(name) && !besideSecret.test(name);

const token =
  /(?:token|passw(?:or)?d|passphrase|secret|key|key_id|pat|credentials?|authorization|cookie|:_auth)$/i;

/** Whether a new value changes neither what runs nor where data goes: a token, but not an address that contains one. */
export const isReplaceable = (name: string, value: string): boolean =>
  isSecretName(name) && token.test(name) && !value.includes("://");

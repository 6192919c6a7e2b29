// Descriptions of every setting and every field of a server's entry, for the generated docs and the JSON Schema.
// Limits are described in contracts/limits.ts.

/** Keyed by the setting's path. */
export const settingMeanings: Readonly<Record<string, string>> = {
  limits: "Limits of a run. Agents can only lower them.",
  timeouts: "Timeouts of servers, in milliseconds.",
  "timeouts.fetchTimeoutMs":
    "Installing a server's package. The installation continues in the background if the caller stops waiting.",
  "timeouts.connectTimeoutMs":
    "Starting or connecting to a server, until it is ready. Does not include installing its package.",
  launch:
    "How servers that use `npx`, `uvx` or a similar runner are started. `direct`: install the package into the cache folder and start its program directly, if that is certain to be equivalent ([adding servers](adding-servers.md#how-packages-are-started)). `as written`: run the command itself.",
  "timeouts.listTimeoutMs": "Listing a server's tools, resources and prompts.",
  "timeouts.callTimeoutMs": "One tool call.",
  "timeouts.idleTimeoutMs":
    "A server's process ends when it has been idle this long, and starts again with the next call. It stays while a session uses it.",
  "timeouts.askTimeoutMs":
    "How long a call stays open while a server of the 2025 protocol waits for a person's answer. Servers of the 2026 protocol wait without a limit.",
  maxStarts:
    "How many servers may start at the same time. Others wait. Servers that a program calls come first. Default: the number of cores, at least 2.",
  executor:
    "The sandbox for programs. A named executor runs every language that it supports. `auto` selects the strongest one that needs no setup.",
  jitless: "Run programs without JIT compilation: slower, but a smaller attack surface.",
  python: "Where Python programs run.",
  "python.interpreter": "The interpreter, or the folder of a virtual environment.",
  "python.preload":
    "Libraries to import in advance for programs that need them, if installed. A process that has one of them also has those before it in the list.",
  "python.deny": "Modules that programs may not import. Advisory only: the sandbox is the security boundary.",
  "python.checker":
    "Experimental: an installed type checker for Python. `auto` uses the first one found next to the interpreter or on PATH.",
  container: "Options of the executor `container`.",
  "container.runtime":
    "`podman`, `docker`, or the path of one of them. Default: the first one that responds.",
  "container.image": "An image with Node or Python, instead of the one that `setup container` builds.",
  "container.ociRuntime":
    "The OCI runtime to use, for example `runsc` for gVisor. Default: the container runtime's own.",
  "container.idleMs": "The last container ends after this long without a run.",
  packages: "JavaScript packages that programs may import, by name.",
  network: "Network access of programs.",
  "network.allow":
    'Hosts that programs may `fetch` from, through the host: `"api.example.com"`, `"*.example.com"`, `"127.0.0.1:8080"`.',
  profiles: "Named sets of restrictions that a run can select.",
  "profiles.*.executor": "The sandbox of these runs.",
  "profiles.*.limits": "Limits of these runs, instead of the setting `limits`.",
  "profiles.*.servers": "The only servers that these runs may call.",
  "profiles.*.packages": "The subset of the setting `packages` that these runs may import.",
  "profiles.*.network": "Network access of these runs.",
  "profiles.*.network.allow": "Hosts that these runs may fetch from, instead of the setting `network.allow`.",
  "profiles.*.deny": "More Python modules that these runs may not import.",
  "profiles.*.approve": "More calls that need approval, written as in the setting `approve`.",
  policy:
    "Rules on calls, or the path of a file with them ([policy.md](policy.md)). A `policy.yaml` beside the configuration is read, too. Policies of several files are not merged. Those of a project can only narrow your own.",
  approve:
    "Calls that a person must approve first. `server.tool`, with `*` for any part; `writes`: every tool that is not declared read-only; `destructive`: those of them that are not declared non-destructive. A `fetch` is `(network).fetch`. With a method other than GET or HEAD it counts as both.",
  audit:
    "Record every decision on a call and every request to a server ([audit.md](audit.md)). `required`: a call that cannot be recorded is not made. If several configurations set it, the strictest applies.",
  auditLog: "Where the lines of the audit go.",
  "auditLog.toStderr": "Also write them to standard error.",
  "auditLog.postTo":
    "Also POST them to this URL, as JSON lines in batches. `https`, or `http` on this machine.",
  "auditLog.postTokenVariable": "The environment variable with the bearer token for that URL.",
  "auditLog.maxFileBytes": "The file is rotated at this size. The chain continues in the new file.",
  "auditLog.keptFiles": "How many rotated files to retain. Default: all.",
  pins: "Detect new and changed tool definitions ([pins](policy.md#pinned-tools)). `warn`: report them. `ask`: withhold them until a person has accepted them. The first listing of a server counts as accepted. `strict`: also withhold the first listing.",
  pinsFile:
    "The file with the accepted definitions, which a team can share. Default: `mcp-coordinator.lock` in the state folder.",
  pinsIgnore:
    'Fields that may change without notice, by tool: `{ "github.get_time": ["description"], "news.*": ["description"] }`.',
  flow: "Limits on calls: rates, concurrency, quotas, retries ([flow-control.md](flow-control.md)).",
  "flow.servers":
    "Limits by server, or by `server.tool` with `*`: `rate`, `concurrency`, `quota` and `retry`. Every entry that matches a call applies.",
  "flow.servers.*.rate": "Calls per period, e.g. `30/min`. Further calls wait.",
  "flow.servers.*.concurrency": "Concurrent calls. Further calls wait.",
  "flow.servers.*.quota": "Calls per period, e.g. `1000/day`, or in total. Further calls fail.",
  "flow.servers.*.retry":
    "Which refused calls are retried. `reads` (default): reads and idempotent calls. `refused`: also writes that the server certainly did not process. `never`: none.",
  "flow.callers": "Limits of each HTTP caller, by name. `*` means every other caller.",
  "flow.callers.*.rate": "Calls per period, e.g. `30/min`. Further calls wait.",
  "flow.callers.*.concurrency": "Concurrent calls. Further calls wait.",
  "flow.callers.*.quota": "Calls per period, e.g. `1000/day`, or in total. Further calls fail.",
  "flow.runs": "Limits of each run, by its profile. `*` means every other run.",
  "flow.runs.*.rate": "Calls per period, e.g. `30/min`. Further calls wait.",
  "flow.runs.*.concurrency": "Concurrent calls. Further calls wait.",
  "flow.runs.*.quota": "Calls per period, e.g. `1000/day`, or in total. Further calls fail.",
  cache:
    "How long answers of reads are cached in memory, by `server.tool` with `*` ([flow-control.md](flow-control.md#cached-answers)).",
  approvals:
    "Where people may approve calls. `anywhere`: in a form that the MCP client shows, or at a terminal. `outside`: never in the client.",
  answers: "What servers get when they ask back ([servers that ask](servers-that-ask.md)).",
  "answers.elicitation":
    "Who answers a server's questions. `people`: only a person, in a form of the MCP client, at a terminal or through the library. `agent`: the agent may answer, too. `refuse`: servers are told that nobody can be asked.",
  "answers.sampling":
    "Whether servers may use the model of the connected client, which shows each request to a person first. `refuse`: never.",
  "answers.logs":
    "The lowest severity of server log messages that a run reports, as progress of the waiting call. `off`: none.",
  "answers.roots":
    "Folders and `file://` URIs that servers get when they ask for roots. They learn of no other folder.",
  surface:
    'How much of the catalog agents see over MCP. `default`: the names of the servers, and as many signatures as fit into 400 tokens. `minimal`: a fixed text of 200 tokens. `{ "tokens": N }`: the names and signatures that fit into that many tokens ([comparison](../benchmarks/tokens/README.md#how-much-of-the-catalog-to-show)).',
  serves:
    "What `serve` offers. `code`: tools to search and to run programs. `direct`: the tools, resources and prompts of all servers as they are ([direct.md](direct.md)). `both`: these and the tools of `code`. `serve --surface` overrides it.",
  output:
    "How a returned value is written for the model. `text`: compact lines without empty fields. `structured`: JSON, and a copy as structured content.",
  callTool: "Offer the tool `call_tool`: one call without a program.",
  runPython:
    "Offer the tool `run_python(code, servers, timeout)`: runs Python in cells that share variables.",
  addServers: "Servers that agents may find and add at run time.",
  "addServers.from": "Entries, written as under `mcpServers`.",
  cacheFolder:
    "The cache folder. It also has the totals of `stats`. Default: `$XDG_CACHE_HOME/mcp-coordinator`, else `~/.cache/mcp-coordinator`; macOS `~/Library/Caches/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator`.",
  libraryFolder:
    "The folder of `generate`. Programs can import your own files from its `servers/<server>/` (Python: `mcp_tools/<server>/`).",
  stateFolder:
    "Folder for persistent data. Default: `.mcp-coordinator` in the working folder if it exists, else `$XDG_STATE_HOME/mcp-coordinator`, else `~/.local/state/mcp-coordinator`; macOS `~/Library/Application Support/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator\\state`.",
  vault:
    "Where the key that encrypts [sign-ins](sign-in.md#where-sign-ins-are-stored) comes from. `auto`: `MCP_COORDINATOR_VAULT_KEY` or a passphrase if set, else the system's keychain, else a private file. `memory`: sign-ins end with the process.",
  clientMetadataUrl:
    "The https URL of a client metadata document that [sign-ins](sign-in.md#client-identity) use, if the issuer supports that. Default: none, because ours is not published yet.",
  skillSignatures:
    "What happens to skills that were not saved or accepted on this machine, or were edited since ([skills.md](skills.md#signed-skills)). `warn`: programs that import them get a warning. `strict`: they are refused.",
  skillsFolder: "Folder of the skills. Default: `skills` in the state folder.",
  proposeSkills: "Save successful programs that called tools as skills, in the category `proposed`.",
  workspace: "The default workspace of runs.",
  journal:
    "Store every run with its program, calls and answers, so that it can be resumed. `off` stores nothing.",
  answerWithinMs:
    "How long an MCP client waits for a run. A longer run is answered with its id, and `resume` gets its result.",
  syncToDisk:
    "Flush every record to disk, so that a power cut loses nothing. When off, a killed process still loses nothing, but a power cut may lose the last seconds.",
  retention: "How much stored data to retain.",
  "retention.keptRuns": "How many runs each workspace retains.",
  "retention.keptRunBytes": "Total size of the runs that each workspace retains, in bytes.",
  "retention.storedValueDays": "Days after which an unused stored value is removed.",
  "retention.keptWorkspaceDays": "Days after which an unused workspace is removed. Default: never.",
  "retention.hiddenValueHours":
    "Hours without use after which the values behind tokens are deleted ([privacy.md](privacy.md)).",
  http: "The HTTP endpoint.",
  "http.tokenVariable": "Environment variable that holds the first caller's token.",
  "http.hosts": "Host names under which callers reach this machine, besides its own IP addresses.",
  "http.mayAddServers": "Let callers, too, add the servers of `addServers`.",
  "http.sessions": "Maximum number of open sessions (2025 protocol) per caller.",
  "http.sessionIdleMs": "How long an idle session stays open, in milliseconds.",
  "http.requests": "Maximum number of concurrent requests.",
  "http.requestBytes": "Maximum size of a request, in bytes.",
  "http.arrivalMs": "How long a request may take to arrive, in milliseconds.",
  model: "The model that `ask` uses.",
  "model.provider":
    "`openai`: OpenAI, or any endpoint with the same chat completions API. `ollama`: the same on this machine, without a key.",
  "model.baseUrl": "The endpoint's URL, up to and including `/v1`. Default: the provider's own.",
  "model.model": "The model's name.",
  "model.apiKey":
    "A reference to the environment variable that holds the key: `${env:NAME}`. The key itself is not allowed in a file. Default: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, if `baseUrl` is not set.",
  "model.maxAnswerTokens": "Maximum length of one answer of the model, in tokens.",
  "model.budgetTokens": "Tokens that one task may read and write.",
  "model.inputPrice": "US dollars per million tokens read, to show costs.",
  "model.outputPrice": "US dollars per million tokens written.",
  allowSelf: "List entries even if they would start mcp-coordinator itself.",
};

/** Keyed by the entry's field. */
export const entryMeanings: Readonly<Record<string, string>> = {
  command: "The program to start. In a list, the items after the first are put before `args`.",
  args: "Arguments of the program.",
  env: "Environment variables of the server's process.",
  envFile: "A file of `NAME=value` lines with more environment variables. `env` overrides it.",
  cwd: "The folder to start in, relative to the file's folder (for `.vscode/mcp.json`, to the project). A missing folder is ignored with a warning.",
  url: "The URL of a remote server.",
  serverUrl: "The same as `url`, as some clients write it.",
  httpUrl: "The same as `url`, as some clients write it.",
  headers: "Headers for every request to the remote server.",
  auth: "How to get a token for the remote server ([sign-in](sign-in.md#settings-of-a-server)). Not needed for a server that a person signs in to.",
  type: "`stdio`, `http` (also `streamable-http`) or `sse`. Default: `stdio` with a `command`, `http` with a `url`.",
  description: "What the server is for, in your own words.",
  disabled: "`true`: the server is neither started nor listed.",
  enabled: "`false`: the server is neither started nor listed.",
  timeouts: "Overrides the setting `timeouts` for this server.",
  launch: "Overrides the setting `launch` for this server: `direct` or `as written`.",
  timeout:
    "The same as `timeouts.callTimeoutMs`, in milliseconds. A number below 1000 is read as seconds, as some clients write it. An invalid value is ignored.",
};

// What every setting and every field of a server's entry is for: read by documents and editors, never at a start.
// Limits have their meanings beside their numbers, in contracts/limits.ts.

/** By the setting's path. */
export const settingMeanings: Readonly<Record<string, string>> = {
  limits: "What stops a run. Agents can only lower them.",
  timeouts: "How long a server may take, in milliseconds.",
  "timeouts.fetchTimeoutMs":
    "Installation of a server's package. It goes on when whoever waits for it gives up.",
  "timeouts.connectTimeoutMs":
    "Start of a server or connection, until it is ready. Installing its package does not count.",
  launch:
    "How servers of `npx`, `uvx` and the like are started. `direct`: the package is installed into the cache folder and its program started by itself, where that is certain to be the same ([adding servers](adding-servers.md#how-packages-are-started)). `as written`: the command itself.",
  "timeouts.listTimeoutMs": "Listing of a server's tools, resources and prompts.",
  "timeouts.callTimeoutMs": "One tool call.",
  "timeouts.idleTimeoutMs":
    "A server's process ends so long after its last call, and starts again with the next one. It stays while a session uses it.",
  maxStarts:
    "Processes of servers that start at once; more wait in order, those that a program calls first. Without it as many as the machine has cores, at least 2.",
  executor:
    "The sandbox for programs. A name runs every language it can; `auto` picks the strongest that needs no set-up.",
  jitless: "Run programs without compiling them to machine code: slower, one thing less to attack.",
  python: "Where Python programs run.",
  "python.interpreter": "An interpreter, or the folder of a virtual environment.",
  "python.preload":
    "Libraries that are imported ahead for programs that need them, where they are there; with each come those before it.",
  "python.deny": "Modules that programs may not import: for good order, the walls are what holds.",
  "python.checker":
    "The checker of types for Python; `auto` takes the first that is beside the interpreter or on PATH.",
  container: "Where programs run with the executor `container`.",
  "container.runtime": "`podman`, `docker`, or the path of one of them. Without it the first that answers.",
  "container.image": "An image with Node or Python in it, in place of the one that `setup container` makes.",
  "container.ociRuntime":
    "Another OCI runtime than the container runtime's own, for example `runsc` for gVisor.",
  "container.idleMs": "Without a run for so long, the last container is ended too.",
  packages: "JavaScript packages that programs may import, by name.",
  network: "What programs may reach.",
  "network.allow":
    'Hosts that programs may `fetch` from, through the host: `"api.example.com"`, `"*.example.com"`, `"127.0.0.1:8080"`.',
  profiles: "Named restrictions that a run can ask for.",
  "profiles.*.executor": "The sandbox of such runs.",
  "profiles.*.limits": "Limits of such runs, in place of the setting's.",
  "profiles.*.servers": "The only servers that such runs may call.",
  "profiles.*.packages": "Of the setting `packages`, those that such runs may import.",
  "profiles.*.network": "What such runs may reach.",
  "profiles.*.network.allow": "Hosts that such runs may fetch from, in place of the setting's.",
  "profiles.*.deny": "Python modules that such runs may not import either.",
  "profiles.*.approve": "More calls that people must allow first, written as in the setting `approve`.",
  approve:
    "Calls that people must allow before they are made: `server.tool` with `*` for any part, `writes` for every tool that does not say it only reads, `destructive` for those of them that do not say they destroy nothing. A `fetch` is `(network).fetch`; with a method other than GET or HEAD it counts as both.",
  approvals:
    "Where people may allow calls. `anywhere`: in the form of an MCP client that shows forms, or at a terminal. `outside`: never in the client.",
  surface:
    "What agents see over MCP: `default` names the servers and shows as many signatures as fit into 1,000 tokens, `minimal` is the same text of 200 tokens for any number of servers.",
  output:
    "How a returned value is written for a model: `text` is compact lines without empty fields, `structured` is JSON and a copy as structured content.",
  callTool: "Offer `call_tool`: one call without a program.",
  runPython: "Offer `run_python(code, servers, timeout)`: Python cell by cell, variables stay.",
  addServers: "Servers that an agent may find and add while it works.",
  "addServers.from": "Entries as under `mcpServers`.",
  cacheFolder:
    "Folder for what can be made again, and for the sums of `stats`. Without it `$XDG_CACHE_HOME/mcp-coordinator`, else `~/.cache/mcp-coordinator`; macOS `~/Library/Caches/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator`.",
  libraryFolder:
    "The folder of `generate`: files of yours in `servers/<server>/` (Python `mcp_tools/<server>/`) can be imported in programs.",
  stateFolder:
    "Folder for what lasts. Without it `.mcp-coordinator` of the working folder where that is there, else `$XDG_STATE_HOME/mcp-coordinator`, else `~/.local/state/mcp-coordinator`; macOS `~/Library/Application Support/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator\\state`.",
  skillsFolder: "Folder of the skills. Without it `skills` of the state folder.",
  proposeSkills:
    "Keep programs that ran well and called tools as proposals, in the category `proposed` of the skills.",
  workspace: "The workspace of runs that name none.",
  journal:
    "Keep every run with its program, calls and answers, so that it can be gone on with. `off` keeps nothing.",
  answerWithinMs:
    "How long a client of the MCP server waits for a run. One that takes longer is answered with its id, and asked after with `resume`.",
  syncToDisk:
    "Wait for the disk at every record, so that a power cut loses nothing. Without it a killed process loses nothing, a power cut the last seconds.",
  retention: "How much of the past is kept.",
  "retention.keptRuns": "Runs that one workspace keeps.",
  "retention.keptRunBytes": "Size of the runs that one workspace keeps.",
  "retention.keptValueDays": "Days after which a kept value that nobody used is removed.",
  "retention.keptWorkspaceDays":
    "Days after which a workspace that nobody used is removed; without it never.",
  http: "What callers over HTTP may do.",
  "http.tokenVariable": "Environment variable with the token of the first caller.",
  "http.hosts": "Names under which callers reach this machine, besides its own addresses.",
  "http.mayAddServers": "Offer callers what `addServers` offers.",
  "http.sessions": "Sessions of the 2025 protocol that one caller may hold.",
  "http.sessionIdleMs": "How long a session lives that nobody uses.",
  "http.requests": "Requests that are under way at once.",
  "http.requestBytes": "Size of one request.",
  "http.arrivalMs": "How long a request may take to arrive.",
  allowSelf: "List entries that would start mcp-coordinator itself.",
};

/** By the field of an entry. */
export const entryMeanings: Readonly<Record<string, string>> = {
  command: "The program: a text, or a list whose rest comes before `args`.",
  args: "Words for the program.",
  env: "Variables for the server's process.",
  envFile: "A file of `NAME=value` lines; the server gets them too, below `env`.",
  cwd: "The folder to start in. Relative to the file's folder (to the project for `.vscode/mcp.json`). One that is missing is left out with a warning.",
  url: "The address of a remote server.",
  serverUrl: "The same as `url`, as some clients write it.",
  httpUrl: "The same as `url`, as some clients write it.",
  headers: "Headers for every request to it.",
  type: "`stdio`, `http` (also `streamable-http`) or `sse`. Without it a `command` is `stdio` and a `url` is `http`.",
  description: "What the server is for, in your words.",
  disabled: "`true`: neither started nor listed.",
  enabled: "`false`: neither started nor listed.",
  timeouts: "Overrides of the setting `timeouts` for this server.",
  launch: "`direct` or `as written`, in place of the setting `launch`.",
  timeout:
    "The same as `timeouts.callTimeoutMs`, in milliseconds. A number below 1000 is read as seconds, as some clients mean it; what does not fit is left out.",
};

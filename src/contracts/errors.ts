// The one error class, and the table of all error codes.
import {
  clientErrors,
  type ErrorEntry,
  type ErrorKind,
  host,
  httpErrors,
  modelErrors,
  policyErrors,
  signInErrors,
  storeErrors,
  upstream,
  user,
} from "./error-entries.js";

export type { ErrorKind } from "./error-entries.js";

/** Every error code with its kind, meaning and default next step. */
export const errorTable = {
  CONFIG_NOT_FOUND: user(
    "The named configuration file does not exist.",
    "Check the path given with --config, MCP_SERVERS_CONFIG or MCP_JSON.",
  ),
  CONFIG_NONE: user(
    "No configuration was given, and none was found in the default locations.",
    'Run "mcp-coordinator init", pass --config PATH, or put an "mcp.json" with "mcpServers" into this folder.',
  ),
  CONFIG_UNREADABLE: user(
    "A configuration or policy file cannot be read, or is not valid JSON or YAML.",
    "Fix the file at the position named in the message.",
  ),
  CONFIG_INVALID: user(
    "A configuration file has a field of the wrong type, or an unknown setting.",
    "Fix the field named in the message.",
  ),
  CONFIG_VARIABLE_MISSING: user(
    "A server's definition refers to an environment variable that is not set.",
    "Set the variable, add it to a .env file next to the configuration, or give a default: ${NAME:-default}.",
  ),
  ...clientErrors,
  USAGE: user("A command got wrong or missing arguments.", "Run the command with --help."),
  SERVER_UNKNOWN: user(
    "No server with that name is configured.",
    'Run "mcp-coordinator servers" to see the names.',
  ),
  SERVER_DISABLED: user(
    "The server is disabled in its configuration.",
    'Remove "disabled" (or set "enabled": true) in the server\'s definition.',
  ),
  OUTSIDE_MANIFEST: user(
    "A person approved the calls that the check found in the program, and it made another one; it was not made.",
    "Write the call with its server, tool and constants in the program's text, and resume: a person is asked about what is new.",
  ),
  CALL_NOT_DECLARED: user(
    "The run may only make the calls that the check found in the program, and made another one.",
    "Name the tool in the program's text, or run it without staysWithinManifest.",
  ),
  SERVER_NOT_ALLOWED: user(
    "The run was restricted to other servers.",
    "Add the server to the run's list of servers.",
  ),
  SERVER_NOT_OFFERED: user(
    "The server is not in the list of servers that may be added.",
    'Use a server that is connected, or list it in the configuration under "coordinator": { "addServers": { "from": { … } } }.',
  ),
  TOOL_UNKNOWN: user(
    "The server has no tool with that name.",
    "Search for the tool, or list the server's tools.",
  ),
  RESOURCE_UNKNOWN: user(
    "The library has no file with that URI.",
    "List the resources and their templates; tools are library://servers/<server>/<tool>.ts.",
  ),
  PROMPT_UNKNOWN: user("There is no prompt with that name.", "List the prompts."),
  ARGUMENTS_INVALID: user(
    "The arguments of a tool call do not match the tool's schema; the server was not called.",
    "Fix the argument named in the message.",
  ),
  TOOLS_INVALID: user(
    "Tools registered in code cannot be used as they are.",
    "Fix what the message names, where the tools are registered.",
  ),
  RUN_VETOED: user(
    "A hook refused a run or withheld its result.",
    "Read the reason; write another program if it asks for one.",
  ),
  CALL_VETOED: user(
    "A hook refused a tool call; the server was not called.",
    "Read the reason; omit the call or change it. The program can catch this error.",
  ),
  ANSWER_VETOED: user(
    "A hook withheld the answer of a tool call; the call was made.",
    "Read the reason; do not repeat a call that changes something.",
  ),
  PROGRAM_INVALID: user(
    "The program cannot be parsed, or has an error that is certain to fail; nothing was run.",
    "Fix the program at the line named in the message.",
  ),
  PROGRAM_FAILED: user(
    "The program ended with an uncaught exception.",
    "Fix the program, or catch the exception.",
  ),
  LANGUAGE_UNAVAILABLE: user(
    "No executor on this machine runs that language.",
    "Use a language that is available.",
  ),
  LIMIT_TIME: user("The run was stopped at its time limit.", "Return sooner, or raise limits.timeoutMs."),
  LIMIT_CPU: user("The run was stopped at its CPU time limit.", "Compute less, or raise limits.cpuMs."),
  LIMIT_MEMORY: user(
    "The run was stopped at its memory limit.",
    "Hold less data in memory at once, or raise limits.memoryMb.",
  ),
  LIMIT_OUTPUT: user(
    "The run was stopped because it printed or returned too much.",
    "Return a summary instead of the data, or raise limits.outputBytes.",
  ),
  LIMIT_CALLS: user(
    "The run was stopped because it made too many tool calls.",
    "Make fewer calls, or raise limits.calls.",
  ),
  LIMIT_JOURNAL: user(
    "The run was stopped before a call because its journal is full; the journal lists what was done.",
    "Resume the run with a higher limits.journalBytes, or pass less data through it.",
  ),
  LIMIT_ANSWER: user(
    "A tool's answer is larger than allowed.",
    "Ask the tool for less, or raise limits.answerBytes.",
  ),
  LIMIT_CODE: user("The program is larger than allowed.", "Shorten the program, or raise limits.codeBytes."),
  CHECKER_BUSY: user(
    "Too many programs of one workspace are waiting to be checked.",
    "Wait until earlier checks have finished, then try again.",
  ),
  RUN_CANCELLED: user(
    "The run was cancelled before it ended.",
    "If you still need it, resume it or start it again.",
  ),
  ...storeErrors,
  ...policyErrors,
  ...signInErrors,
  ...httpErrors,
  ...modelErrors,
  NETWORK_DENIED: user(
    "A program requested a URL that the configuration does not allow.",
    'Use a server for it, or list the host in "coordinator": { "network": { "allow": ["host"] } }.',
  ),
  NETWORK_FAILED: upstream(
    "An allowed URL did not answer a program's request.",
    "Check the URL, and try again.",
  ),
  UPSTREAM_UNREACHABLE: upstream(
    "The server could not be started or reached.",
    "Check its command and what it printed, or its URL and whether it is running.",
  ),
  RATE_LIMITED: upstream(
    "A server or the setting `flow` allows no more calls for now, and the run cannot wait that long.",
    "Try again later, make fewer calls, or give the run more time.",
  ),
  UPSTREAM_TIMEOUT: upstream(
    "The server did not answer in time.",
    "Try again, or raise the timeout named in the message.",
  ),
  UPSTREAM_CLOSED: upstream(
    "The connection to the server was lost during a call.",
    "Check whether the call took effect before you repeat it; the next call restarts the server.",
  ),
  UPSTREAM_FAILED: upstream(
    "The server answered with a protocol error.",
    "Read the server's message; check the arguments.",
  ),
  RESULT_INVALID: upstream(
    "A tool's answer is not JSON, or does not match its output schema; the call was made.",
    "Fix the tool; do not repeat a call that changes something.",
  ),
  TOOL_FAILED: upstream(
    "The tool ran and reported an error.",
    "Read the tool's message. A program can catch this error.",
  ),
  SANDBOX_UNAVAILABLE: host(
    "No sandbox can run on this machine.",
    'Run "mcp-coordinator doctor": it shows which sandboxes can run here, and what the others need.',
  ),
  SANDBOX_CRASHED: host(
    "The sandbox process ended unexpectedly.",
    "Run the program again; if it happens again, report it with the program.",
  ),
  INTERNAL: host(
    "Something failed that should not: a bug in mcp-coordinator.",
    "Report it with the output of the command with --verbose.",
  ),
} as const satisfies Record<string, ErrorEntry>;

/** The stable code of every error, for programs to compare. docs/errors.md explains each. */
export type ErrorCode = keyof typeof errorTable;

export interface CoordinatorErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The one error of this project: a stable code, what happened, and the next step. */
export class CoordinatorError extends Error {
  override readonly name: string = "CoordinatorError";
  readonly code: ErrorCode;
  readonly hint: string;
  /** Plain JSON with more facts; never a secret. */
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, options: CoordinatorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorTable[code].hint;
    this.details = options.details;
  }

  get kind(): ErrorKind {
    return errorTable[this.code].kind;
  }

  toJSON(): { code: ErrorCode; kind: ErrorKind; message: string; hint: string; details?: unknown } {
    return {
      code: this.code,
      kind: this.kind,
      message: this.message,
      hint: this.hint,
      details: this.details,
    };
  }
}

/** Any thrown thing as a CoordinatorError; what is not one already becomes INTERNAL. */
export const toCoordinatorError = (thrown: unknown): CoordinatorError =>
  thrown instanceof CoordinatorError
    ? thrown
    : new CoordinatorError("INTERNAL", thrown instanceof Error ? thrown.message : String(thrown), {
        cause: thrown,
      });

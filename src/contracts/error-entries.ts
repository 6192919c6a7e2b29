// Rows of the error table: what a row is, and those of stored data, sign-ins, client configurations, trust, HTTP callers, models and policies.

/** Who has to act: `user` fixes a config or a program, `upstream` failed on the other side, `host` is our bug. */
export type ErrorKind = "user" | "upstream" | "host";

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What it means, in one sentence. docs/errors.md shows the same text. */
  readonly meaning: string;
  /** The next step, unless the thrower has a better one. */
  readonly hint: string;
}

const entry =
  (kind: ErrorKind) =>
  (meaning: string, hint: string): ErrorEntry => ({ kind, meaning, hint });

export const user = entry("user");
export const upstream = entry("upstream");
export const host = entry("host");

export const storeErrors = {
  NAME_INVALID: user(
    "The name of a workspace, session, state, run or key is not valid.",
    'Use letters, digits, ".", "_" and "-", starting with a letter or a digit.',
  ),
  PATH_DENIED: user(
    "A path leads out of the workspace, or would name a different file on another operating system.",
    'Use a relative path of plain names, such as "reports/june.csv".',
  ),
  FILE_FAILED: user(
    "A file in the workspace does not exist, exists already, or is not of the expected type.",
    "List the files, then correct the path named in the message.",
  ),
  LIMIT_WORKSPACE: user(
    "The workspace is full, or a file or value is larger than allowed.",
    "Remove what you no longer need, or raise the limit named in the message.",
  ),
  SESSION_UNKNOWN: user(
    "The workspace has no session with that name.",
    'Run "mcp-coordinator sessions" to see the names, or start one.',
  ),
  SESSION_LOST: user(
    "A run cannot be resumed: the state of its session cannot be restored.",
    "Run its program again, without the calls that it has already made.",
  ),
  RUN_UNKNOWN: user(
    "The workspace has no run with that id.",
    'Run "mcp-coordinator runs" to see the ids. The oldest runs are removed over time.',
  ),
  RUN_BUSY: user("Another process is working on the run.", "Wait until the run ends, or cancel it."),
  VALUE_UNKNOWN: user(
    "The workspace has no stored value with that id.",
    'Run "mcp-coordinator values" to see the ids. The oldest values are removed over time.',
  ),
  RUN_DIVERGED: user(
    "The program does not repeat the calls that its run made before; nothing new was done.",
    "Fix the program, or continue from there with its own calls; the calls already made cannot be undone.",
  ),
  RUN_UNCERTAIN: user(
    "A call that changes something was sent and its answer was lost: it may or may not have taken effect.",
    "Check on the server whether it took effect; then skip the call or repeat it.",
  ),
  NOBODY_TO_ASK: user(
    "The run needs an answer from a person, and cannot wait for one because it is not stored or nobody can answer it.",
    'Set "coordinator": { "journal": "on" }, ask in a run that is not a test, or give onQuestion.',
  ),
  QUESTION_DECLINED: user(
    "The person who was asked declined to answer.",
    "Continue without the answer: catch the exception, or change the program.",
  ),
  SAMPLING_REFUSED: user(
    "A server asked for a model's answer, and the settings, the client or a limit do not allow it.",
    'Allow it with "coordinator": { "answers": { "sampling": "client" } } and a client that offers sampling, or use another tool.',
  ),
  LIMIT_WATCHES: user(
    "A run watches more resources than it may.",
    'Watch fewer resources, or raise the limit "watches".',
  ),
  LIMIT_QUESTIONS: user(
    "A server asked more questions than a run allows.",
    'Use another tool, or raise the limit "questions".',
  ),
  ANSWER_INVALID: user(
    "The answer does not match the question, belongs to another question, or the run asked nothing.",
    'Look at the question with "mcp-coordinator runs RUN_ID" and answer what it asks for.',
  ),
  PLAN_INCOMPLETE: user(
    "The plan cannot be committed.",
    "Fix the program and plan it again, or run it without a plan.",
  ),
  PLAN_MADE_UP: user(
    "A plan stores nothing once its program may have used a made-up answer.",
    'Store it before that, or run the program itself, with approve: ["writes"].',
  ),
  UNDO_REFUSED: user(
    "The run cannot be undone, or was already undone.",
    'Run "mcp-coordinator runs RUN_ID" to see its calls.',
  ),
  CASSETTE_INVALID: user(
    "A recording cannot be read.",
    'Write it again with "mcp-coordinator runs export RUN_ID FILE".',
  ),
  CASSETTE_INCOMPLETE: user(
    "A run cannot be exported: it uses something that a recording cannot contain.",
    "Write the program without it, run it, and export that run.",
  ),
  SKILL_UNKNOWN: user(
    "There is no saved skill with that name, or no such version of it.",
    'Run "mcp-coordinator skills list" to see the names.',
  ),
  SKILL_BROKEN: user(
    "A skill no longer matches the tools that it calls, or contains an error.",
    "Fix the file at the line named in the message and save it again, or run it unchecked.",
  ),
  SKILL_UNSIGNED: user(
    "A skill is not signed, or was edited.",
    'Read it, then run "mcp-coordinator skills accept NAME".',
  ),
  SKILL_READ_ONLY: user(
    "A skill that all workspaces share cannot be changed from this one.",
    "Save a skill with the same name, which replaces it in this workspace, or change the shared one in the skills folder.",
  ),
  STORE_BUSY: user(
    "Another process held a lock on the store for too long.",
    "Try again; look for a process that hangs.",
  ),
  STORE_FAILED: user(
    "The state folder cannot be read or written.",
    'Check the folder of "coordinator": { "stateFolder" }: its permissions and the free space.',
  ),
  STORE_UNREADABLE: user(
    "A file in the store is damaged.",
    "Restore the file named in the message, or remove it.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export const signInErrors = {
  SIGN_IN_NEEDED: user(
    "The server requires a sign-in, or a new one with more rights; nothing was done.",
    'Run "mcp-coordinator login SERVER", then try again.',
  ),
  SIGN_IN_FAILED: upstream(
    "A sign-in to a server did not succeed.",
    "Read the message, and try again; nothing was stored.",
  ),
  SIGN_IN_CHANGED: user(
    "The server names another issuer, or other URLs of it, than at the first sign-in.",
    "If that is expected, confirm it; otherwise do not sign in, and ask who runs the server.",
  ),
  CLIENT_ID_NEEDED: user(
    "The server's issuer does not register clients by itself.",
    'Register an application with the issuer, and set "auth": { "clientId": "…" } in the server\'s entry.',
  ),
  VAULT_LOCKED: user(
    "The vault that holds the sign-ins cannot be opened: its key is missing, or is another one.",
    "Give the key that the vault was created with.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export const clientErrors = {
  CONFIG_UNTRUSTED: user(
    "A configuration outside your own folders would start a command, and nobody has trusted it yet.",
    'Check what it starts; then run "mcp-coordinator trust" in the folder, with --config PATH for a specific file.',
  ),
  CLIENT_UNKNOWN: user(
    "No client with that name is known.",
    'Run "mcp-coordinator connect" to see the names.',
  ),
  CLIENT_FILE_UNREADABLE: user(
    "A client's configuration file cannot be read, or cannot be changed without touching more than its servers.",
    "Fix the file named in the message, or change it by hand.",
  ),
  CONFIRMATION_NEEDED: user(
    "Files would be changed, and there is no terminal to ask for confirmation.",
    "Check what would be done, then confirm with --yes.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export const httpErrors = {
  LISTEN_FAILED: user(
    "The server cannot listen on the address or port.",
    "Choose another port; --http 0 picks a free one.",
  ),
  CALLER_UNKNOWN: user(
    "There is no HTTP caller with that name.",
    'Run "mcp-coordinator callers" to see the names.',
  ),
  CALLER_EXISTS: user(
    "A caller with that name already has a token.",
    'Create a new token with "mcp-coordinator callers renew NAME", or use another name.',
  ),
  TOKEN_UNFIT: user(
    "The given token cannot be used.",
    'Use at least 32 random characters, for example from "openssl rand -base64 32".',
  ),
} as const satisfies Record<string, ErrorEntry>;

export const modelErrors = {
  MODEL_NOT_CONFIGURED: user(
    "No model is configured, or its key is missing.",
    'Set "coordinator": { "model": { "provider", "model", "apiKey" } }, or MCP_COORDINATOR_PROVIDER, MCP_COORDINATOR_MODEL and MCP_COORDINATOR_API_KEY.',
  ),
  LIMIT_BUDGET: user(
    "The model was stopped at the budget of its task.",
    "Give a larger budget or a smaller task.",
  ),
  LIMIT_TURNS: user(
    "The model was stopped at the number of turns of its task.",
    "Allow more turns or give a smaller task.",
  ),
  MODEL_REFUSED: upstream(
    "The model's endpoint refused the request.",
    "Read its message; check the model's name, the key and the URL.",
  ),
  MODEL_UNREACHABLE: upstream(
    "The model's endpoint could not be reached, or was busy each time.",
    "Check the URL, or try again later.",
  ),
  MODEL_ANSWER_INVALID: upstream(
    "The model's endpoint sent something that is not an answer, or too much.",
    "Check that the setting model.provider fits the URL.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export const policyErrors = {
  CALL_DENIED: user(
    "The call needed approval and was denied; it was not made.",
    "Continue without it. A program can catch the exception.",
  ),
  FLOW_DENIED: user(
    "The policy does not let this data flow to this tool; the call was not made.",
    "Store the value with keep and pass the handle, pass on only fields that are not labelled, write before you read, use two runs, or ask the person to approve it.",
  ),
  QUOTA_EXCEEDED: user(
    "A quota of the setting `flow` is used up; the call was not made.",
    "Wait until the quota resets, make fewer calls, or raise the quota.",
  ),
  AUDIT_FAILED: user(
    "The audit is required, and a call could not be recorded; it was not made.",
    "Free disk space, correct the permissions of the state folder, or check the endpoint of the audit; then try again.",
  ),
  TOOL_CHANGED: user(
    "The definition of the tool is new or has changed, and nobody has accepted it yet; it was not called.",
    'Review it with "mcp-coordinator pins".',
  ),
  TOKEN_UNKNOWN: user(
    "An argument contains a token for a hidden value that this session was never given.",
    "Use tokens exactly as answers contain them, in the session that got them. Do not make them up.",
  ),
  TOKEN_EXPIRED: user(
    "An argument contains a token whose hidden value is no longer stored.",
    "Read the value from its server again: the answer has a new token.",
  ),
  TOKEN_WITHHELD: user(
    "The policy does not let this tool receive a hidden value of another server.",
    'Continue without it. A person can allow it in the policy, with "reveal" or a flow.',
  ),
  ANSWER_WITHHELD: user(
    "The personal values in an answer could not be hidden, so the program does not get it. The call was made.",
    "Ask the tool for less at once: fewer rows, fewer fields.",
  ),
  GUARDRAIL_BLOCKED: user(
    "A guardrail of the policy blocks the program, the arguments of a call, or what would be shown.",
    "Leave out what the message names. Only a person can change guardrails, in the policy.",
  ),
} as const satisfies Record<string, ErrorEntry>;

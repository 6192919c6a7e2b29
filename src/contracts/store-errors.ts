// The error codes of what lasts: workspaces, memory, sessions, runs.
import { type ErrorEntry, entry } from "./error-entry.js";

export const storeErrors = {
  NAME_INVALID: entry(
    "user",
    "A name of a workspace, a session, a state, a run or a key cannot be one.",
    'Use letters, digits, ".", "_" and "-", beginning with a letter or a digit.',
  ),
  PATH_DENIED: entry(
    "user",
    "A path leads out of the workspace, or means another file on another system.",
    'Use a relative path of plain names, such as "reports/june.csv".',
  ),
  FILE_FAILED: entry(
    "user",
    "A file of the workspace is not there, or is there already, or is of another kind.",
    "Look what is there, and correct the path named in the message.",
  ),
  LIMIT_WORKSPACE: entry(
    "user",
    "The workspace is full, or a file or a value is larger than it may be.",
    "Remove what is no longer needed, or raise the limit named in the message.",
  ),
  SESSION_UNKNOWN: entry(
    "user",
    "No session of that name is kept in the workspace.",
    "List the sessions, or begin one.",
  ),
  SESSION_LOST: entry(
    "user",
    "A run cannot be resumed: the state that its session had when it began cannot be restored.",
    "Run its program again, without the calls that it made before.",
  ),
  RUN_UNKNOWN: entry(
    "user",
    "No run of that id is kept in the workspace.",
    "List the runs; the oldest are removed after a while.",
  ),
  RUN_BUSY: entry("user", "A process works on the run.", "Wait until it has ended, or cancel it."),
  KEPT_UNKNOWN: entry(
    "user",
    "No value of that id is kept in the workspace.",
    "Keep it again; the oldest values are removed after a while.",
  ),
  RUN_DIVERGED: entry(
    "user",
    "The program does not make the calls that its run made before; nothing new was done.",
    "Correct the program, or go on from there with calls of its own: the calls that were made stay made.",
  ),
  RUN_UNCERTAIN: entry(
    "user",
    "A call that changes something was sent and its answer was lost: it may have been done or not.",
    "Look at the server whether it was done; then skip the call, or repeat it.",
  ),
  NOBODY_TO_ASK: entry(
    "user",
    "The run needs an answer of people, and cannot wait for one because it is not kept.",
    'Set "coordinator": { "journal": "on" }, or do it in a run that is no test.',
  ),
  QUESTION_DECLINED: entry(
    "user",
    "People were asked and will not answer.",
    "Go on without the answer: catch the exception, or change the program.",
  ),
  CALL_DENIED: entry(
    "user",
    "People were asked whether the call may be made, and did not allow it; it was not made.",
    "Go on without it: catch the exception, or change the program.",
  ),
  ANSWER_INVALID: entry(
    "user",
    "An answer was given that does not fit the question, or belongs to another one, or nothing was asked.",
    'Look at the question with "mcp-coordinator runs show RUN_ID" and answer what it asks for.',
  ),
  PLAN_INCOMPLETE: entry(
    "user",
    "The plan cannot be carried out as it stands.",
    "Correct the program and make the plan again, or run the program without a plan.",
  ),
  PLAN_MADE_UP: entry(
    "user",
    "A plan stores nothing after its program may have looked at a made-up answer.",
    'Store it before that, or run the program itself, with approve: ["writes"].',
  ),
  CASSETTE_INVALID: entry(
    "user",
    "A cassette cannot be read.",
    "Export it again from the run that it was made of.",
  ),
  CASSETTE_INCOMPLETE: entry(
    "user",
    "A run cannot be exported: it uses what a cassette does not hold.",
    "Write the program without it, run it, and export that run.",
  ),
  SKILL_UNKNOWN: entry(
    "user",
    "No skill of that name, or no such version of it, is saved.",
    'Run "mcp-coordinator skills list" to see the names.',
  ),
  SKILL_BROKEN: entry(
    "user",
    "A skill no longer fits the tools that it calls, or has a mistake in it.",
    "Correct the file and line named in the message and save it again, or run it unchecked.",
  ),
  SKILL_READ_ONLY: entry(
    "user",
    "A skill that all workspaces share cannot be changed from this one.",
    "Save a skill of the same name, which takes its place in this workspace, or change the shared one in the skills folder.",
  ),
  STORE_BUSY: entry(
    "user",
    "Another process held a lock of the store for too long.",
    "Try again; look for a process that hangs.",
  ),
  STORE_FAILED: entry(
    "user",
    "The state folder cannot be read or written.",
    'Check the folder of "coordinator": { "stateFolder" }: its permissions and the free space.',
  ),
  STORE_UNREADABLE: entry(
    "user",
    "A file of the store is not what was written there.",
    "Restore the file named in the message, or remove it.",
  ),
} as const satisfies Record<string, ErrorEntry>;

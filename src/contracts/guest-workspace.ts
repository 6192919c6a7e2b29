// The workspace in programs: global names, modules, error codes, and its server name in guest calls.
import type { ErrorCode } from "./errors.js";
import type { Language } from "./executor.js";

/** The server name of files, memory and states in guest calls. No configured server can have it. */
export const workspaceServer = "\u0000workspace";

/** The global object with every function of ours, under a name that no server can have. */
export const ownObject = { name: "coordinator", server: "\u0000coordinator" } as const;

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const workspaceNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["workspace", "memory", "getState", "saveState", "fs"],
  python: [
    "workspace",
    "memory",
    "get_state",
    "save_state",
    "save_memory",
    "load_memory",
    "update_memory",
    "delete_memory",
    "list_memories",
    "memory_exists",
    "get_memory_info",
  ],
};

const promises = [
  "access",
  "appendFile",
  "constants",
  "copyFile",
  "lstat",
  "mkdir",
  "readFile",
  "readdir",
  "rename",
  "rm",
  "rmdir",
  "stat",
  "unlink",
  "writeFile",
];

/** Modules that TypeScript programs import for it → their exports besides the default. */
export const workspaceModules: ReadonlyMap<string, readonly string[]> = new Map([
  ["fs/promises", promises],
  ["node:fs/promises", promises],
  ["fs", ["promises", "constants"]],
  ["node:fs", ["promises", "constants"]],
  ["workspace", workspaceNames.typescript],
]);

/** File errors under the system's names, as programs know them → our error code. */
export const fileErrnos: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "FILE_FAILED",
  EEXIST: "FILE_FAILED",
  EISDIR: "FILE_FAILED",
  ENOTDIR: "FILE_FAILED",
  ENOTEMPTY: "FILE_FAILED",
  EINVAL: "FILE_FAILED",
  EACCES: "PATH_DENIED",
  EDQUOT: "LIMIT_WORKSPACE",
};

/** Whether a guest call is neither a tool nor the network. */
export const isHostService = (server: unknown): boolean =>
  typeof server === "string" && server.startsWith("\u0000") && server !== "\u0000network";

// The functions of a program's workspace: its files, its memory, its states. The workspace is opened on the first call.
import type { GuestAnswer, Json, JsonObject, Limits, Workspace } from "../contracts/index.js";
import { CoordinatorError, fileErrnos, toCoordinatorError } from "../contracts/index.js";
import { answered } from "./answers.js";
import { parseArguments } from "./arguments.js";
import {
  decodePart,
  type Encoding,
  openUploads,
  readPart,
  type Uploads,
  type WholeUpload,
} from "./file-parts.js";
import { createGate } from "./pipeline.js";

interface WorkspaceCall {
  readonly workspace: Workspace;
  /** Files that are being written in parts. */
  readonly uploads: Uploads;
  /** The path inside the workspace for a path as programs write it. Throws PATH_DENIED. */
  readonly toPath: (path: string) => string;
  readonly values: readonly Json[];
}

type WorkspaceFunction = (call: WorkspaceCall) => Promise<unknown>;

const refuse = (at: number, wanted: string): CoordinatorError =>
  new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot use the workspace: value ${at + 1} has another type, expected ${wanted}`,
  );

const readText = (values: readonly Json[], at: number): string => {
  const value = values[at];
  if (typeof value === "string") return value;
  throw refuse(at, "a string");
};

const readOptionalText = (values: readonly Json[], at: number): string | undefined =>
  values[at] === undefined || values[at] === null ? undefined : readText(values, at);

const readCount = (values: readonly Json[], at: number): number => {
  const value = values[at] ?? 0;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw refuse(at, "a whole number");
};

const readEncoding = (values: readonly Json[], at: number): Encoding => {
  const value = values[at];
  if (value === "utf8" || value === "latin1") return value;
  throw refuse(at, '"utf8" or "latin1"');
};

const readObject = (values: readonly Json[], at: number): JsonObject | undefined => {
  const value = values[at];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
  throw refuse(at, "an object");
};

const readValue = (values: readonly Json[], at: number): Json => {
  const value = values[at];
  if (value !== undefined) return value;
  throw refuse(at, "a value");
};

const pathAt = ({ toPath, values }: WorkspaceCall, at = 0): string => toPath(readText(values, at));

const contentAt = ({ values }: WorkspaceCall, at: number): Uint8Array =>
  decodePart(readText(values, at), readEncoding(values, at + 1));

/** Their failures get the error names of the file system, such as ENOENT. */
const fileFunctions: Readonly<Record<string, WorkspaceFunction>> = {
  read: (call) =>
    readPart(call.workspace.files, {
      path: pathAt(call),
      encoding: readEncoding(call.values, 1),
      offset: readCount(call.values, 2),
      stamp: readOptionalText(call.values, 3),
    }),
  write: (call) =>
    call.workspace.files.writeFile(pathAt(call), contentAt(call, 1), { isNew: call.values[3] === true }),
  startWrite: async (call) => {
    const { workspace, values, uploads } = call;
    const path = pathAt(call);
    const isNew = values[1] === true;
    return uploads.start([path, isNew], (parts) => workspace.files.writeFile(path, parts, { isNew }));
  },
  addPart: (call) => call.uploads.add(readCount(call.values, 0), contentAt(call, 1)),
  endWrite: ({ uploads, values }) => uploads.end(readCount(values, 0)),
  append: (call) => call.workspace.files.appendFile(pathAt(call), contentAt(call, 1)),
  mkdir: (call) => call.workspace.files.mkdir(pathAt(call), { recursive: call.values[1] === true }),
  readdir: (call) => call.workspace.files.readdir(pathAt(call), { recursive: call.values[1] === true }),
  stat: (call) => call.workspace.files.stat(pathAt(call)),
  exists: (call) => call.workspace.files.exists(pathAt(call)),
  rm: (call) =>
    call.workspace.files.rm(pathAt(call), {
      recursive: call.values[1] === true,
      force: call.values[2] === true,
    }),
  rmdir: (call) => call.workspace.files.rmdir(pathAt(call)),
  rename: (call) => call.workspace.files.rename(pathAt(call), pathAt(call, 1)),
  copyFile: (call) => call.workspace.files.copyFile(pathAt(call), pathAt(call, 1)),
};

const valueFunctions: Readonly<Record<string, WorkspaceFunction>> = {
  memorySave: ({ workspace, values }) =>
    workspace.memory.save(readText(values, 0), readValue(values, 1), readObject(values, 2)),
  memoryLoad: ({ workspace, values }) => workspace.memory.load(readText(values, 0)),
  memoryReplace: ({ workspace, values }) =>
    workspace.memory.replace(readText(values, 0), readValue(values, 1), readOptionalText(values, 2)),
  memoryDelete: ({ workspace, values }) => workspace.memory.delete(readText(values, 0)),
  memoryList: ({ workspace, values }) => workspace.memory.list(readOptionalText(values, 0)),
  memoryInfo: ({ workspace, values }) => workspace.memory.info(readText(values, 0)),
  getState: ({ workspace, values }) => workspace.states.get(readOptionalText(values, 0)),
  saveState: ({ workspace, values }) =>
    workspace.states.save(readValue(values, 0), readOptionalText(values, 1)),
};

export interface RunWorkspace {
  readonly open: () => Promise<Workspace>;
  /** The path inside the workspace for a path as programs write it. Throws PATH_DENIED. */
  readonly toPath: (path: string) => string;
}

export interface WorkspaceFunctions {
  /** Never rejects: a failure is an answer. */
  readonly answer: (name: string, argumentsJson: string) => Promise<GuestAnswer>;
  /** The file that this call completes. */
  readonly findUpload: (name: string, values: Json) => WholeUpload | undefined;
  readonly close: () => void;
}

/** Always allowed, because the parts of a file are smaller, escapes included. */
const minArgumentBytes = 8 * 1024 * 1024;
/** Calls of one run that are carried out at once. */
const maxAtOnce = 16;

export const openWorkspaceFunctions = (
  runWorkspace: RunWorkspace,
  limits: Pick<Limits, "argumentBytes" | "argumentValues">,
): WorkspaceFunctions => {
  const argumentLimits = { ...limits, argumentBytes: Math.max(limits.argumentBytes, minArgumentBytes) };
  const gate = createGate(maxAtOnce);
  const uploads = openUploads();
  return {
    answer: async (name, argumentsJson) => {
      const isOfFiles = Object.hasOwn(fileFunctions, name);
      const functions = isOfFiles ? fileFunctions : valueFunctions;
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      try {
        if (found === undefined)
          throw new CoordinatorError(
            "TOOL_UNKNOWN",
            `Cannot call "${name.slice(0, 80)}": the workspace has no such function`,
          );
        const values = parseArguments(name, argumentsJson, argumentLimits);
        const work = async (): Promise<unknown> =>
          found({ workspace: await runWorkspace.open(), uploads, toPath: runWorkspace.toPath, values });
        // It may wait for other files to be finished, and must not block their parts meanwhile.
        const value = name === "startWrite" ? await work() : await gate.pass(work);
        return answered(JSON.stringify(value ?? null));
      } catch (thrown) {
        return toFailure(toCoordinatorError(thrown), isOfFiles);
      }
    },
    findUpload: (name, values) =>
      name === "endWrite" && Array.isArray(values) ? uploads.find(values[0]) : undefined,
    close: () => {
      gate.close();
      uploads.close();
    },
  };
};

/** The file system's names for our error codes. */
const errnos: Readonly<Record<string, string>> = { PATH_DENIED: "EACCES", LIMIT_WORKSPACE: "EDQUOT" };

const toFailure = (error: CoordinatorError, isOfFiles: boolean): GuestAnswer => {
  const { code, message, hint } = error;
  const errno = (error.details as { readonly errno?: unknown } | undefined)?.errno ?? errnos[code];
  if (isOfFiles && typeof errno === "string" && Object.hasOwn(fileErrnos, errno))
    return { status: "failed", name: "Error", code: errno, message: `${message} (${errno}). ${hint}` };
  return { status: "failed", name: "Error", code, message: `${message}. ${hint}` };
};

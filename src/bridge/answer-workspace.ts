// Answers a program that uses its workspace: its files, its memory, its states. Nothing is opened before it is asked for.
import type { GuestAnswer, Limits, Workspace } from "../contracts/index.js";
import { CoordinatorError, fileErrnos, toCoordinatorError } from "../contracts/index.js";
import { createGate } from "./gate.js";
import { parseArguments } from "./parse-arguments.js";
import { openUploads } from "./uploads.js";
import { workspaceFunctions } from "./workspace-functions.js";

export interface WorkspaceRules {
  readonly open: () => Promise<Workspace>;
  /** A path as programs write it, as one in the workspace. Throws PATH_DENIED. */
  readonly toPath: (path: string) => string;
}

export interface WorkspaceService {
  /** Never rejects: a failure is an answer. */
  readonly answer: (name: string, argumentsJson: string) => Promise<GuestAnswer>;
  readonly close: () => void;
}

/** What a question may always have: parts of files are smaller, escapes included. */
const leastBytes = 8 * 1024 * 1024;
/** Questions of one run that are worked on at once. */
const mostAtOnce = 16;

export const openWorkspaceService = (
  rules: WorkspaceRules,
  limits: Pick<Limits, "argumentBytes" | "argumentValues">,
): WorkspaceService => {
  const argumentLimits = { ...limits, argumentBytes: Math.max(limits.argumentBytes, leastBytes) };
  const pass = createGate(mostAtOnce);
  const uploads = openUploads();
  return {
    answer: async (name, argumentsJson) => {
      const found = workspaceFunctions.get(name);
      try {
        if (found === undefined)
          throw new CoordinatorError(
            "TOOL_UNKNOWN",
            `Cannot call "${name.slice(0, 80)}": the workspace has no such function`,
          );
        const values = parseArguments(name, argumentsJson, argumentLimits);
        const work = async (): Promise<unknown> =>
          found.answer({ workspace: await rules.open(), uploads, toPath: rules.toPath, values });
        // Waiting for room among the files that are being written must not keep those from being finished.
        const value = name === "startWrite" ? await work() : await pass(work);
        return { status: "answered", format: "json", body: JSON.stringify(value ?? null) };
      } catch (thrown) {
        return toFailure(toCoordinatorError(thrown), found?.isOfFiles === true);
      }
    },
    close: uploads.close,
  };
};

/** The system's names for what else can be wrong with a file. */
const errnos: Readonly<Record<string, string>> = { PATH_DENIED: "EACCES", LIMIT_WORKSPACE: "EDQUOT" };

const toFailure = (error: CoordinatorError, isOfFiles: boolean): GuestAnswer => {
  const { code, message, hint } = error;
  const told = (error.details as { readonly errno?: unknown } | undefined)?.errno ?? errnos[code];
  if (isOfFiles && typeof told === "string" && Object.hasOwn(fileErrnos, told))
    return { status: "failed", name: "Error", code: told, message: `${message} (${told}). ${hint}` };
  return { status: "failed", name: "Error", code, message: `${message}. ${hint}` };
};

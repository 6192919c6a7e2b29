// Named states of a workspace: JSON files that programs can also read as files.
import {
  CoordinatorError,
  type Json,
  parseJson,
  type States,
  type WorkspaceFiles,
} from "../contracts/index.js";
import { checkName } from "./check-input.js";
import { layOutJson } from "./json-file.js";

const toPath = (name: string): string => `state/${checkName("state", name.replace(/\.json$/, ""))}.json`;

const isMissing = (error: unknown): boolean =>
  error instanceof CoordinatorError &&
  (error.details as { errno?: string | undefined } | undefined)?.errno === "ENOENT";

export const openStates = (files: WorkspaceFiles): States => ({
  get: async (name = "state") => {
    const path = toPath(name);
    try {
      const { modifiedAt } = await files.stat(path);
      const text = Buffer.from(await files.readFile(path)).toString("utf8");
      return { exists: true, value: parseJson(text) as Json, savedAt: modifiedAt };
    } catch (error) {
      if (isMissing(error)) return { exists: false };
      if (error instanceof SyntaxError)
        throw new CoordinatorError("STORE_UNREADABLE", `Cannot read the state "${path}": it is not JSON`);
      throw error;
    }
  },
  save: async (value, name = "state") => {
    const path = toPath(name);
    await files.writeFile(path, `${layOutJson(value)}\n`);
    return path;
  },
});

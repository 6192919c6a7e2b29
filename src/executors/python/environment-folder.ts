// The location of the Python environment with the data libraries, and its interpreter.
import { homedir } from "node:os";
import { join } from "node:path";

/** The default folder of the environment that `createPythonEnvironment` creates. */
export const defaultEnvironmentFolder = (): string => {
  if (process.platform === "win32")
    return join(process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "mcp-coordinator", "python");
  const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  return join(data, "mcp-coordinator", "python");
};

/** The interpreter inside a virtual environment. */
export const environmentPython = (folder: string): string =>
  process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python3");

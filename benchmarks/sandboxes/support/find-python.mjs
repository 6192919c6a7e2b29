// The interpreter that our own Python sandbox would take, so that floors are those of the same Python.
import { defaultEnvironmentFolder } from "../../../dist/executors/python/environment-folder.js";
import { findInterpreter } from "../../../dist/executors/python/interpreter.js";

export const findPython = () => findInterpreter({ environmentFolder: defaultEnvironmentFolder() });

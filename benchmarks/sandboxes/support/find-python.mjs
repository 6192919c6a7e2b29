// The interpreter that our own Python sandbox would take, so that floors are those of the same Python.
import {
  defaultEnvironmentFolder,
  findInterpreter,
} from "../../../dist/executors/engines/python/interpreter.js";

export const findPython = () => findInterpreter({ environmentFolder: defaultEnvironmentFolder() });

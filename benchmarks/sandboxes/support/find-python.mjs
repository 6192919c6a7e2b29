// The interpreter that our own Python sandbox uses, so that baselines use the same Python.
import {
  defaultEnvironmentFolder,
  findInterpreter,
} from "../../../dist/executors/engines/python/interpreter.js";

export const findPython = () => findInterpreter({ environmentFolder: defaultEnvironmentFolder() });

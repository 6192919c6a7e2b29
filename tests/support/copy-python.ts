// A Python as a version manager installs it: complete, in its own folder, copied from the machine's.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** Large, or not part of a fresh installation. */
const leftOut = ["test", "site-packages", "dist-packages", "idlelib", "__pycache__", "turtledemo", "lib2to3"];

const ask = (command: string, code: string): string =>
  spawnSync(command, ["-I", "-c", code], { encoding: "utf8" }).stdout?.trim() ?? "";

/** Debian's own needs no library beside it. A Python that finds its library by its old path cannot be moved. */
const source = ["/usr/bin/python3", "python3"].find((command) => ask(command, "print(1)") === "1");

export interface CopyPythonOptions {
  /** Modules of the standard library to leave out. */
  readonly without?: readonly string[];
}

/** The path of the copied interpreter; undefined if the machine has none that can be copied. */
export const copyPython = (folder: string, { without = [] }: CopyPythonOptions = {}): string | undefined => {
  if (source === undefined || process.platform !== "linux") return undefined;
  const [executable = "", standard = "", name = ""] = ask(
    source,
    "import os, sys, sysconfig; print(os.path.realpath(sys.executable)); print(sysconfig.get_path('stdlib')); print('python%d.%d' % sys.version_info[:2])",
  ).split("\n");
  mkdirSync(join(folder, "bin"), { recursive: true });
  cpSync(executable, join(folder, "bin", name));
  symlinkSync(name, join(folder, "bin", "python3"));
  const skipped = [...leftOut, ...without];
  cpSync(standard, join(folder, "lib", name), {
    recursive: true,
    dereference: true,
    filter: (path) => !skipped.includes(basename(path)) && !basename(path).startsWith("config-"),
  });
  mkdirSync(join(folder, "lib", name, "site-packages"));
  const python = join(folder, "bin", "python3");
  return existsSync(python) && ask(python, "import sys; print(sys.prefix)") === folder ? python : undefined;
};

/** Packs a library of one file as a wheel, with Python's own zip. */
export const makeWheel = (folder: string, name: string): string => {
  const wheel = join(folder, `${name}-1.0-py3-none-any.whl`);
  const code = `
import sys, zipfile
wheel, name = sys.argv[1:]
info = f"{name}-1.0.dist-info"
with zipfile.ZipFile(wheel, "w") as file:
    file.writestr(f"{name}.py", "answer = 42\\n")
    file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
    file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    file.writestr(f"{info}/RECORD", f"{name}.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n{info}/RECORD,,\\n")
`;
  spawnSync(source ?? "python3", ["-I", "-c", code, wheel, name]);
  return wheel;
};

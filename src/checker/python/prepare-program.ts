// Prepares a Python program for a sandbox: removes the fence and finds words that may name servers. The guest compiles it.
import {
  type ModuleText,
  type PreparedModule,
  type PreparedProgram,
  type ProgramImport,
  stripFence,
  toWords,
} from "../program.js";

/** Top-level modules in every supported Python. */
const standardModules = toWords(`
  __future__ __main__ _thread abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar
  cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy
  copyreg csv dataclasses datetime decimal difflib dis doctest email encodings enum errno faulthandler filecmp fileinput
  fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imaplib
  importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes
  mmap modulefinder multiprocessing netrc ntpath numbers opcode operator optparse os pathlib pdb pickle pickletools
  pkgutil platform plistlib poplib posixpath pprint profile pstats py_compile pyclbr pydoc queue quopri random re
  reprlib runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl
  stat statistics string stringprep struct subprocess symtable sys sysconfig tabnanny tarfile tempfile textwrap this
  threading time timeit token tokenize trace traceback tracemalloc types typing unicodedata unittest urllib uuid venv
  warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`);

/** Whether a module is part of every Python. */
export const isStandardModule = (module: string): boolean => standardModules.has(module.split(".")[0] ?? "");

const name = /[\p{ID_Start}_][\p{ID_Continue}]*/gu;

/** The part of a line that binds names: before "=", or after a binding keyword. */
const toBound = (line: string): string => {
  const [, word, rest = ""] = /^(?:async )?(def|class|for|import|from) (.*)$/.exec(line) ?? [];
  if (word === "def" || word === "class") return rest.match(name)?.[0] ?? "";
  if (word === "for") return rest.split(" in ")[0] ?? "";
  if (word !== undefined) return word === "import" ? rest : (rest.split(" import ")[1] ?? "");
  const [left = ""] = line.split(/[=:]/, 1);
  const [, named = ""] = / as (\w+):/.exec(line) ?? [];
  return line.includes("=") && /^[\w\s,*()]+$/.test(left) && !/\w\(/.test(left) ? `${left} ${named}` : named;
};

/** Includes names local to functions: callers want every name that may be bound. */
const findDeclared = (text: string): readonly string[] => [
  ...new Set(text.split("\n").flatMap((line) => toBound(line.trim().slice(0, 1000)).match(name) ?? [])),
];

export const preparePython = (
  given: string,
  { isSession = false }: { readonly isSession?: boolean | undefined } = {},
): PreparedProgram => {
  const { code: text, removedLines } = stripFence(given);
  return {
    text,
    code: text,
    imports: findImports(text, removedLines),
    words: new Set(text.match(name)),
    declares: isSession ? findDeclared(text) : [],
    removedLines,
  };
};

/** The guest compiles modules, so the source stays as it is. */
export const preparePythonModule = ({ path, file, source }: ModuleText): PreparedModule => ({
  path,
  file,
  text: source,
  code: source,
  imports: [],
  words: new Set(source.match(name)),
  declares: [],
  removedLines: 0,
});

/** A server's module is named by its folder, as in TypeScript: `mcp_tools/github`. */
const toPath = (module: string): string =>
  /^mcp_tools\.|^mcp\.servers\./.test(module)
    ? module.replace(/^mcp\.servers\./, "mcp_tools.").replaceAll(".", "/")
    : module;

/** Every module in an import statement, with its position. The guest handles other kinds of import. */
const findImports = (text: string, removedLines: number): readonly ProgramImport[] =>
  text.split("\n").flatMap((line, at) => {
    const [, from, names = "", list = ""] =
      /^(?:from\s+([\w.]+)\s+import\b([\w\s,]*)|import\s+([\w.,][\w.,\s]*))/.exec(line.trimStart()) ?? [];
    const toWords = (written: string): readonly string[] =>
      written.split(",").map((part) => part.trim().split(/\s/)[0] ?? "");
    const modules =
      from === undefined
        ? toWords(list)
        : from === "mcp_tools"
          ? [from, ...toWords(names).map((name) => (name === "" ? "" : `${from}.${name}`))]
          : [from];
    return modules
      .filter((module) => module !== "")
      .map((module) => ({
        specifier: module,
        path: toPath(module),
        names: "all" as const,
        position: {
          line: at + 1 + removedLines,
          column: line.search(/\S/) + 1,
          excerpt: line.trim().slice(0, 200),
        },
      }));
  });

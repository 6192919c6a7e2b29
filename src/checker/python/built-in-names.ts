// Built-in names of Python and the modules that every Python has.

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Built-in names of every Python since 3.9, and those the guest adds. */
export const builtInNames = toSet(`
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
  FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
  IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
  ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
  PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError
  abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
  credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash
  help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
  ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
  vars zip
  ToolError coordinator call_tool callTool call_mcp_tool callMCPTool`);

/** Top-level modules in every supported Python. */
const standardModules = toSet(`
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

/** Attributes of dictionaries, lists and coroutines. */
export const dictionaryMembers = toSet(
  "clear copy fromkeys get items keys pop popitem setdefault update values send throw close",
);
export const listMembers = toSet(
  "append clear copy count extend index insert pop remove reverse sort send throw close",
);

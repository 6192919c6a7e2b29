// Runs the native compiler as a child process: no environment, only our files, killed if it does not answer.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createFrameReader, toFrame } from "../../message-stream.js";
import {
  type CompileOptions,
  type Compiler,
  type CompilerFiles,
  type CompilerMessage,
  paths,
  toCompiler,
} from "./compiler.js";

const maxMessageBytes = 64 * 1024 * 1024;

/** The paths of the compiler binary and its libraries; undefined if this platform has none. */
export const findNativeCompiler = (): { readonly folder: string; readonly version: string } | undefined => {
  try {
    const require = createRequire(import.meta.url);
    const own = require.resolve("typescript/package.json");
    const { version } = require(own) as { version: string };
    const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const folder = join(dirname(createRequire(own).resolve(platform)), "lib");
    // Some archives leave out declarations, and the compiler cannot check anything without its library.
    const hasLibrary = ["lib.d.ts", "lib.esnext.d.ts"].every((name) => existsSync(join(folder, name)));
    return hasLibrary && isExecutable(join(folder, binaryName)) ? { folder, version } : undefined;
  } catch {
    return undefined;
  }
};

/** Unpacking may drop the executable bit. */
const isExecutable = (path: string): boolean => {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
  return true;
};

const binaryName = process.platform === "win32" ? "tsc.exe" : "tsc";

interface Reply {
  readonly id?: number | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: string | undefined } | undefined;
}

interface Session {
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  readonly hold: () => void;
  readonly rest: () => void;
  readonly end: (reason: string) => void;
  files: CompilerFiles;
  project?: string | undefined;
  snapshot?: number | undefined;
}

interface SnapshotReply {
  readonly snapshot: number;
  readonly projects: readonly { readonly id: string }[];
}

interface RawDiagnostic {
  readonly code: number;
  readonly pos: number;
  readonly end: number;
  readonly text: string;
  readonly messageChain?: readonly RawDiagnostic[] | undefined;
}

export const openNativeCompiler = ({ folder }: { readonly folder: string }): Compiler => {
  let session: Session | undefined;
  const drop = (reason: string): void => {
    session?.end(reason);
    session = undefined;
  };

  const compile = async ({ files, changed }: CompileOptions): Promise<readonly CompilerMessage[]> => {
    session ??= startSession(folder, files);
    const current = session;
    current.files = files;
    current.hold();
    const before = current.snapshot;
    const isFirst = current.project === undefined;
    if (isFirst) await current.request("initialize", null);
    const update = isFirst ? { openProjects: [paths.configuration] } : { fileChanges: { changed } };
    const { snapshot, projects } = (await current.request("updateSnapshot", update)) as SnapshotReply;
    current.snapshot = snapshot;
    current.project = projects[0]?.id ?? paths.configuration;
    const place = { snapshot, project: current.project, file: paths.program };
    const messages = (await current.request("getSemanticDiagnostics", place)) as
      | readonly RawDiagnostic[]
      | null;
    if (before !== undefined) await current.request("release", { snapshot: before });
    current.rest();
    return (messages ?? []).map(toMessage);
  };

  return toCompiler({ compile, drop });
};

const toMessage = (raw: RawDiagnostic): CompilerMessage => {
  const chain: string[] = [];
  const collect = (inner: readonly RawDiagnostic[] | undefined): void => {
    for (const one of inner ?? []) {
      chain.push(one.text);
      collect(one.messageChain);
    }
  };
  collect(raw.messageChain);
  return { code: raw.code, start: raw.pos, end: raw.end, text: raw.text, chain };
};

const callbacks = ["readFile", "fileExists", "directoryExists", "getAccessibleEntries", "realpath"];

const startSession = (folder: string, files: CompilerFiles): Session => {
  const child = spawn(
    join(folder, binaryName),
    ["--api", "--async", "--cwd", paths.folder, `--callbacks=${callbacks.join(",")}`],
    // Collect garbage twice as often as by default: programs are small, and the process lives long.
    {
      cwd: folder,
      env: { GOGC: "50", GOMAXPROCS: "2" },
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    },
  );
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const end = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
    child.kill("SIGKILL");
  };
  const session: Session = {
    files,
    end,
    hold: () => setReferenced(child, true),
    rest: () => setReferenced(child, false),
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        child.stdin.write(toFrame({ jsonrpc: "2.0", id, method, params }));
      }),
  };
  const answer = ({ id, method = "", params }: Reply): void => {
    const result = answerFile(session.files, folder, method, String(params));
    child.stdin.write(toFrame({ jsonrpc: "2.0", id, result }));
  };
  const read = createFrameReader((message) => {
    const reply = message as Reply;
    if (reply.method !== undefined) return answer(reply);
    const waiter = waiting.get(reply.id ?? 0);
    waiting.delete(reply.id ?? 0);
    if (reply.error === undefined) waiter?.resolve(reply.result);
    else waiter?.reject(new Error(`the compiler failed: ${String(reply.error.message).slice(0, 200)}`));
  }, maxMessageBytes);
  child.stdout.on("data", (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
    }
  });
  child.on("error", (error) => end(error.message));
  child.on("exit", () => end("the compiler exited"));
  child.stdin.on("error", () => end("the compiler exited"));
  return session;
};

/** An idle compiler must not keep the host alive. It ends with the host, when the pipe closes. */
const setReferenced = (child: ChildProcess, isReferenced: boolean): void => {
  const handles = [child, child.stdin, child.stdout] as {
    ref?: (() => void) | undefined;
    unref?: (() => void) | undefined;
  }[];
  for (const handle of handles) isReferenced ? handle.ref?.() : handle.unref?.();
};

/** Handles every file access: only our files exist, plus the compiler's libraries, which it reads itself. */
const answerFile = (files: CompilerFiles, folder: string, method: string, path: string): unknown => {
  const isLibrary = dirname(path) === folder.replaceAll("\\", "/") && /\/lib\.[\w.]*d\.ts$/.test(path);
  switch (method) {
    case "readFile":
      return isLibrary ? null : { content: files.read(path) ?? null };
    case "fileExists":
      return isLibrary ? null : files.read(path) !== undefined;
    case "directoryExists":
      return path === paths.folder || path.startsWith(`${paths.folder}/`);
    case "getAccessibleEntries":
      return { files: [], directories: [] };
    default:
      return path;
  }
};

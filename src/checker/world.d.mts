// Types of the guest's globals and modules, besides the language itself and the servers.
// biome-ignore-all lint/suspicious/noExplicitAny: a program may pass anything.

interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  debug(...values: any[]): void;
  dir(value?: any, options?: any): void;
  dirxml(...values: any[]): void;
  trace(...values: any[]): void;
  table(data?: any, columns?: readonly string[]): void;
  group(...values: any[]): void;
  groupCollapsed(...values: any[]): void;
  groupEnd(): void;
  assert(condition?: any, ...values: any[]): void;
  count(label?: string): void;
  countReset(label?: string): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: any[]): void;
  timeEnd(label?: string): void;
}
declare const console: Console;

declare function setTimeout(
  callback: (...values: any[]) => any,
  milliseconds?: number,
  ...values: any[]
): any;
declare function setInterval(
  callback: (...values: any[]) => any,
  milliseconds?: number,
  ...values: any[]
): any;
declare function clearTimeout(timer?: any): void;
declare function clearInterval(timer?: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function sleep(milliseconds: number): Promise<void>;
declare function structuredClone<T>(value: T, options?: any): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare const crypto: {
  randomUUID(): string;
  getRandomValues<T>(view: T): T;
};
declare const performance: { now(): number };

declare class ToolError extends Error {
  code: string;
}
declare class DOMException extends Error {
  constructor(message?: string, options?: any);
  readonly code: number;
}

declare class Event {
  constructor(type: string, options?: any);
  readonly type: string;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  readonly timeStamp: number;
  target: any;
  preventDefault(): void;
}
declare class EventTarget {
  addEventListener(type: string, listener: any, options?: any): void;
  removeEventListener(type: string, listener: any, options?: any): void;
  dispatchEvent(event: Event): boolean;
}
declare class AbortSignal extends EventTarget {
  readonly aborted: boolean;
  readonly reason: any;
  onabort: any;
  throwIfAborted(): void;
  static abort(reason?: any): AbortSignal;
  static timeout(milliseconds: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: any);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: any, options?: any): string;
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: any);
  readonly size: number;
  append(name: string, value: any): void;
  delete(name: string, value?: any): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: any): boolean;
  set(name: string, value: any): void;
  sort(): void;
  forEach(callback: (value: string, name: string, all: URLSearchParams) => void): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare class URL {
  constructor(url: any, base?: any);
  static canParse(url: any, base?: any): boolean;
  static parse(url: any, base?: any): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toJSON(): string;
}

/** What a program can read about a server; nothing about the machine it runs on. */
interface ServerFacts {
  name: string;
  identifier: string;
  description?: string;
  transport: string;
  status: string;
  toolCount?: number;
  resourceCount?: number;
  promptCount?: number;
}
interface ToolFacts {
  server: string;
  name: string;
  functionName: string;
  description: string;
  isReadOnly: boolean;
}
interface ToolDetails extends ToolFacts {
  identifier: string;
  title?: string;
  isDestructive: boolean;
  signature: string;
  declaration: string;
  importLine: string;
  inputSchema: any;
  outputSchema?: any;
  learned?: { schema: any; answers: number };
  fingerprint: string;
}
/** Discovery functions: globals, and exports of "servers", unless a server has the same name. */
interface Discovery {
  listServers(): Promise<ServerFacts[]>;
  listTools(server?: string | { name: string } | { server: string }): Promise<ToolFacts[]>;
  describeServer(
    server: string | { name: string } | { server: string },
  ): Promise<ServerFacts & { cwd?: string; instructions?: string; tools: ToolFacts[] }>;
  describeTool(tool: string | { server: string }, name?: string): Promise<ToolDetails>;
  getToolSchema(tool: string | { server: string }, name?: string): Promise<any>;
  searchTools(
    query: string | { query: string },
    options?: {
      limit?: number;
      detail?: "name" | "summary" | "description" | "full";
      server?: string;
    },
  ): Promise<any>;
  capabilitySummary(): Promise<string>;
}

/** The bytes of a file. */
interface FileBytes extends Uint8Array<ArrayBuffer> {
  toString(encoding?: string): string;
}
interface FileKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}
interface FileStats extends FileKind {
  size: number;
  mode: number;
  mtime: Date;
  ctime: Date;
  atime: Date;
  birthtime: Date;
  mtimeMs: number;
  ctimeMs: number;
  atimeMs: number;
  birthtimeMs: number;
}
interface FolderEntry extends FileKind {
  name: string;
  parentPath: string;
}
/** The modules "fs/promises" and "node:fs/promises", as far as a workspace supports them. */
interface FilePromises {
  readFile(path: string, options: string | { encoding: string; flag?: string }): Promise<string>;
  readFile(path: string, options?: { encoding?: null; flag?: string } | null): Promise<FileBytes>;
  writeFile(
    path: string,
    data: string | ArrayBufferView | ArrayBuffer,
    options?: string | { encoding?: string | null; flag?: string; mode?: any } | null,
  ): Promise<void>;
  appendFile(
    path: string,
    data: string | ArrayBufferView | ArrayBuffer,
    options?: string | { encoding?: string | null; mode?: any } | null,
  ): Promise<void>;
  readdir(
    path: string,
    options: { withFileTypes: true; recursive?: boolean; encoding?: string },
  ): Promise<FolderEntry[]>;
  readdir(
    path: string,
    options?: string | { withFileTypes?: false; recursive?: boolean; encoding?: string } | null,
  ): Promise<string[]>;
  stat(path: string, options?: any): Promise<FileStats>;
  lstat(path: string, options?: any): Promise<FileStats>;
  access(path: string, mode?: number): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean; mode?: any } | null): Promise<string | undefined>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean; maxRetries?: number }): Promise<void>;
  rmdir(path: string, options?: any): Promise<void>;
  unlink(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copyFile(from: string, to: string, mode?: number): Promise<void>;
  readonly constants: {
    readonly F_OK: number;
    readonly X_OK: number;
    readonly W_OK: number;
    readonly R_OK: number;
  };
}

interface WorkspaceFile {
  path: string;
  kind: "file" | "folder";
  bytes: number;
  modifiedAt: string;
}
interface WorkspaceHelpers {
  readText(path: string): Promise<string>;
  writeText(path: string, text: string): Promise<void>;
  appendText(path: string, text: string): Promise<void>;
  readJson(path: string): Promise<any>;
  writeJson(path: string, value: any): Promise<void>;
  readCsv(path: string): Promise<Record<string, string>[]>;
  writeCsv(path: string, rows: readonly any[]): Promise<void>;
  list(path?: string, options?: { recursive?: boolean }): Promise<WorkspaceFile[]>;
  exists(path: string): Promise<boolean>;
  /** False if nothing was there. */
  delete(path: string, options?: { recursive?: boolean }): Promise<boolean>;
}
interface MemoryInfo {
  key: string;
  metadata?: any;
  createdAt: string;
  updatedAt: string;
  bytes: number;
  revision: string;
}
interface MemoryFunctions {
  save(key: string, value: any, metadata?: Record<string, any>): Promise<MemoryInfo>;
  load(key: string, fallback?: any): Promise<any>;
  /** Retries after a concurrent change, so `change` may be called more than once. */
  update(key: string, change: (value: any) => any): Promise<any>;
  delete(key: string): Promise<boolean>;
  list(prefix?: string): Promise<MemoryInfo[]>;
  exists(key: string): Promise<boolean>;
  info(key: string): Promise<MemoryInfo | undefined>;
}
/** Values stored between runs: globals, and exports of "workspace", unless a server has the same name. */
interface WorkspaceGlobals {
  fs: FilePromises;
  workspace: WorkspaceHelpers;
  memory: MemoryFunctions;
  getState(name?: string): Promise<{ exists: boolean; value?: any; savedAt?: string }>;
  /** Returns the path of its file. */
  saveState(value: any, name?: string): Promise<string>;
}

/** A saved program with parameters, as programs see it. */
interface SkillFacts {
  name: string;
  description: string;
  language: string;
  version: number;
  tags: string[];
  importLine: string;
  signature: string;
  integrity?: "signed" | "unsigned" | "edited";
}
/** The global `skills`, unless a server has that name. */
interface Skills {
  save(skill: {
    name: string;
    code: string;
    description?: string;
    language?: "typescript" | "python";
    tags?: readonly string[];
    category?: string;
    parameters?: Record<string, any>;
  }): Promise<SkillFacts>;
  list(): Promise<SkillFacts[]>;
  search(query: string | { query: string }, options?: { limit?: number }): Promise<SkillFacts[]>;
  show(name: string | { name: string }, version?: number): Promise<SkillFacts & { code: string }>;
}

/** A value stored on the host. As an argument of a tool it stands for its content. */
interface ValueHandle<T> {
  readonly id: string;
  readonly kind: "list" | "object" | "text" | "bytes" | "value";
  readonly bytes: number;
  /** Items of a list, fields of an object, lines of a text. */
  readonly count?: number;
  readonly name?: string;
  readonly mimeType?: string;
  peek(): Promise<any>;
  page(options?: PageOptions): Promise<T>;
  query(asked: string | QueryOptions): Promise<any>;
  /** The whole value, loaded into the guest. */
  load(): Promise<T>;
  [Symbol.asyncIterator](): AsyncGenerator<T extends readonly (infer I)[] ? I : any>;
}
interface PageOptions {
  /** A list or an object inside it: `items`, `data.rows[0]`. */
  path?: string;
  offset?: number;
  limit?: number;
}
interface QueryOptions extends PageOptions {
  /** Fields that equal a value, or `{ gt, gte, lt, lte, ne, in, contains, exists }`. */
  where?: Record<string, any>;
  select?: readonly string[];
  count?: boolean;
}
/** Functions for values stored on the host: globals, unless a server has the same name. They take handles or ids. */
interface HandleFunctions {
  keep<T>(value: T): Promise<ValueHandle<T>>;
  stored(id: string | { id: string }): Promise<ValueHandle<any>>;
  /** @deprecated The former name of `stored`. */
  kept(id: string | { id: string }): Promise<ValueHandle<any>>;
  peek(handle: string | { id: string }): Promise<any>;
  page<T>(handle: ValueHandle<T>, options?: PageOptions): Promise<T>;
  page(handle: string, options?: PageOptions): Promise<any>;
  query(handle: string | { id: string }, asked: string | QueryOptions): Promise<any>;
  /** A file of the run: a string, bytes, an image from a tool's answer, or any JSON value. */
  artifact(name: string, data: any, mimeType?: string): Promise<ValueHandle<any>>;
  /** An answer as a list: a list stays, null is an empty list, anything else is its only item. */
  rows<T>(answer: T): RowOf<T>[];
  /** The items of all pages of a tool, by cursor, page or offset: `for await (const item of paginate(tool, args))`. */
  paginate<A, R>(tool: (args: A) => Promise<R>, args?: A): AsyncGenerator<PageItem<R>>;
}
type RowOf<T> = T extends readonly (infer Row)[]
  ? Row
  : T extends string
    ? any
    : Exclude<T, null | undefined>;
type PageItem<R> = unknown extends R
  ? any
  : R extends readonly (infer Item)[]
    ? Item
    : R extends object
      ? ListedIn<R>
      : any;
/** The items of the lists among the fields of a page. */
type ListedIn<R> = [ItemIn<R>] extends [never] ? any : ItemIn<R>;
type ItemIn<R> = {
  [K in keyof R]-?: NonNullable<R[K]> extends readonly (infer Item)[] ? Item : never;
}[keyof R];
/** Every function of ours, also where a server has the short name. */
declare const coordinator: WorkspaceGlobals &
  HandleFunctions &
  PeopleFunctions &
  Discovery & { skills: Skills };
/** Questions to people. The run waits for the answer, even across a restart of the host, and receives it once. */
interface PeopleFunctions {
  ask(question: string): Promise<string>;
  ask<const C extends string>(question: string, options: { choices: readonly C[] }): Promise<C>;
  /** The answer matches the JSON Schema. */
  ask(question: string, options: { schema: { type: "boolean" } }): Promise<boolean>;
  ask(question: string, options: { schema: { type: "number" | "integer" } }): Promise<number>;
  ask(question: string, options: { schema: Record<string, any> }): Promise<any>;
}

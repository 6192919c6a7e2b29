// What exists in every program besides the language itself and the servers: the guest's world, as types.
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

/** What a program knows of a server; nothing of the machine it runs on. */
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
/** The functions to look around: globals, and exports of "servers", unless a server is called like one of them. */
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

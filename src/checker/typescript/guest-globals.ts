// Names available in every program without a declaration, and common ones that are not.
import { noNetwork } from "../rules/check-names.js";

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names of the language and of the guest. */
export const guestGlobals = toSet(`
  AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator BigInt BigInt64Array BigUint64Array Boolean
  DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function
  Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape
  AbortController AbortSignal DOMException Event EventTarget TextDecoder TextEncoder ToolError URL URLSearchParams atob
  btoa callMCPTool callTool clearInterval clearTimeout console crypto performance queueMicrotask servers setInterval
  setTimeout sleep structuredClone`);

const noModules = 'Import tools like this: import { toolName } from "servers/<server>"';
const noPage = "A program runs in a sandbox without a web page: return a value or print with console.log";

/** What to use instead of a name that the sandbox does not have. */
export const absentGlobals: ReadonlyMap<string, string> = new Map([
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "axios", "Request", "Response", "Headers"].map(
    (name) => [name, noNetwork] as const,
  ),
  ...["require", "module", "exports"].map((name) => [name, noModules] as const),
  ...["window", "document", "self", "localStorage", "sessionStorage", "navigator", "location", "alert"].map(
    (name) => [name, noPage] as const,
  ),
  ["process", "A program has no process object and no environment variables: return a value to end it"],
  ["Buffer", "Use TextEncoder, TextDecoder, atob, btoa or Uint8Array instead"],
  ["global", 'Use "globalThis" instead'],
  ["__dirname", "A program has no folder of its own"],
  ["__filename", "A program is not a file"],
  ["setImmediate", 'Use "setTimeout" instead'],
]);

// Names that generated identifiers must keep away from: the language's words, an object's members, the guest's globals.

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that cannot be declared in a strict module. */
const languageWords = `
  abstract arguments as async await boolean break case catch class const continue debugger declare default delete do
  else enum eval export extends false finally for from function if implements import in instanceof interface let new
  null of package private protected public return static super switch this throw true try typeof undefined var void
  while with yield NaN Infinity`;

/** A tool under one of these names would be mistaken for something that every object has, or make it thenable. */
const objectMembers = `
  then toJSON constructor prototype toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable`;

/** What a program expects to find under these names: the language's globals and the guest's own. */
const globalNames = `
  AbortController AbortSignal AggregateError Array ArrayBuffer AsyncIterator Atomics BigInt BigInt64Array
  BigUint64Array Blob Boolean Buffer DataView Date Error EvalError Event EventTarget FinalizationRegistry Float16Array
  Float32Array Float64Array Function Headers Int16Array Int32Array Int8Array Intl Iterator JSON Map Math Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String Symbol
  SyntaxError TextDecoder TextEncoder ToolError TypeError URIError URL URLSearchParams Uint16Array Uint32Array
  Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly atob btoa callMCPTool callTool clearInterval
  clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape exports global globalThis
  isFinite isNaN module parseFloat parseInt performance process queueMicrotask require self servers setInterval
  setTimeout sleep structuredClone unescape window`;

/** Not for tools. */
export const reservedForTools = toSet(`${languageWords} ${objectMembers}`);

/** Not for servers, which are global objects in programs. */
export const reservedForServers = toSet(`${languageWords} ${objectMembers} ${globalNames}`);

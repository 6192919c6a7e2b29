// Suggests replacements for globals that exist elsewhere but not in a guest.

import { defaultLibrariesFix, isDataModule } from "./python-libraries.js";

const network =
  "A program has no network of its own: call a server's tool, or allow the host under coordinator.network.allow.";
const modules =
  "Use import: the connected servers and the packages under coordinator.packages can be imported.";
const environment = "There is no environment in a program: secrets stay with the servers.";
const paths = 'Write paths as texts: "./workspace/reports/june.csv".';
const browser = "A program does not run in a browser.";
const removed = "It is removed from programs: nothing here needs it, and it is a way to attack.";

const hints: Readonly<Record<string, string>> = {
  fetch: network,
  XMLHttpRequest: network,
  WebSocket: network,
  require: modules,
  module: modules,
  process: environment,
  Deno: environment,
  Bun: environment,
  Buffer: "Use Uint8Array, TextEncoder, atob and btoa.",
  path: paths,
  os: "There is no such module in a program.",
  window: browser,
  document: browser,
  Intl: 'This sandbox has none: "isolate" has.',
  WebAssembly: removed,
  SharedArrayBuffer: removed,
  Atomics: removed,
};

/** The hint for "x is not defined", if x is missing on purpose. */
export const hintForMissing = (message: string): string | undefined => {
  // Python has its own names. Most of the names above are ordinary there.
  if (message === "name 'fetch' is not defined") return network;
  // The check did not see this import. Without settings at hand, suggest the default step.
  const module = /^No module named '([\w.]+)'/.exec(message)?.[1];
  if (module !== undefined && isDataModule(module)) return defaultLibrariesFix();
  const name = /^'?(\w+)'? is not defined/.exec(message)?.[1];
  return name !== undefined && Object.hasOwn(hints, name) ? hints[name] : undefined;
};

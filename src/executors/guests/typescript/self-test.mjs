// The probes of the self-test in TypeScript: a function for everything that a sandbox must run or stop.

export const runs = () => 6 * 7;

/** @param {string} path */
export const file = async (path) => {
  const name = "node:" + "fs";
  const fs = globalThis.process?.getBuiltinModule?.("fs") ?? (await import(name));
  return fs.readFileSync(path, "utf8");
};

/** @param {string} name */
export const environment = (name) =>
  globalThis.process?.env?.[name] ??
  Function("name", 'return typeof process === "undefined" ? "" : process.env[name]')(name);

/** @param {string} url */
export const network = async (url) => (await fetch(url)).text();

export const spin = () => {
  for (;;) {}
};

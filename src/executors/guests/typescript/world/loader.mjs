// Loads the modules of the world inside a sandbox: read-world.mjs puts this file in front of them, in one script.

/** By specifier, what a module exports. @type {Record<string, any>} */
export const modules = Object.create(null);
// biome-ignore lint/security/noGlobalEval: this runs inside a sandbox, where our own modules arrive as text
const evaluate = eval;
/** @type {(kind: "module", specifier: string) => string} */
let askProcess;

export const load = (specifier) =>
  (modules[specifier] ??= evaluate(askProcess("module", specifier))(load, later));

/** Stands for a module that is loaded on first access. */
export const later = (specifier, names) => {
  const exported = Object.create(null);
  for (const name of names) exported[name] = undefined;
  const get = (_exported, name) => load(specifier)[name];
  return new Proxy(exported, Object.assign(Object.create(null), { get }));
};

export const installWorld = (post) => {
  askProcess = post;
  return modules["./guest.mjs"].install(post);
};

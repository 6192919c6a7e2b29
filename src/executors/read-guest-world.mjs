// Joins the files of the guest's world into one script: engines take a snapshot of scripts, not of modules.
import { readFileSync } from "node:fs";

const folder = new URL("./guest-world/", import.meta.url);
const importLine = /^import (\{[^}]*\}|\* as \w+) from "([^"]+)";$/gm;
const exportedName = /^export (?:const|class) (\w+)/gm;
const exportList = /^export \{([^}]*)\};$/m;

/** What the package takes from the global scope: its tables are Base64. */
const encoding = "./encoding.mjs";
const packageHead = `const { atob } = modules["${encoding}"];\n`;

/**
 * The world as one expression, whose value is `install` of guest.mjs.
 * @param {string} urlModule the file of the package that implements URL
 */
export const readGuestWorld = (urlModule) => {
  /** In the order of their evaluation: a module comes after those it imports. @type {Map<string, string>} */
  const modules = new Map();
  const read = (/** @type {string} */ specifier) => {
    if (modules.has(specifier)) return;
    const isOurs = specifier.startsWith("./");
    const text = readFileSync(isOurs ? new URL(specifier, folder) : urlModule, "utf8");
    const source = isOurs ? text : packageHead + text;
    if (!isOurs) read(encoding);
    for (const [, , imported = ""] of source.matchAll(importLine)) read(imported);
    const toModule = eager.has(specifier) ? toEagerModule : toLazyModule;
    modules.set(specifier, `modules[${JSON.stringify(specifier)}] = ${toModule(source)};\n`);
  };
  const eager = findEager("./guest.mjs");
  read("./guest.mjs");
  const parts = [...modules.values()].join("");
  return toAscii(`(() => {\nconst modules = {};\n${parts}return modules["./guest.mjs"].install;\n})()`);
};

/**
 * What is evaluated ahead: a module and those whose names it imports. One that is imported as a whole (`import * as`) is
 * evaluated when something is read from it: most programs never do, and every sandbox would pay for it.
 * @param {string} specifier
 * @param {Set<string>} [found]
 */
const findEager = (specifier, found = new Set()) => {
  if (found.has(specifier)) return found;
  found.add(specifier);
  const source = readFileSync(new URL(specifier, folder), "utf8");
  for (const [, names = "", imported = ""] of source.matchAll(importLine))
    if (!names.startsWith("*")) findEager(imported, found);
  return found;
};

/** One character outside of Latin-1 would double the size of the script in every sandbox. */
const toAscii = (/** @type {string} */ source) =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const toNames = (/** @type {string} */ source) => [
  ...[...source.matchAll(exportedName)].map(([, name = ""]) => name),
  ...(exportList.exec(source)?.[1] ?? "").split(",").flatMap((name) => name.trim() || []),
];

/** A function that evaluates a module and returns what it exports. */
const toFunction = (/** @type {string} */ source) => {
  const body = source
    .replace(importLine, (_line, imported, specifier) => {
      return `const ${imported.replace("* as ", "")} = modules["${specifier}"];`;
    })
    .replace(exportList, "")
    .replace(/^export /gm, "");
  return `() => {\n${body}\nreturn { ${toNames(source).join(", ")} };\n}`;
};

const toEagerModule = (/** @type {string} */ source) => `(${toFunction(source)})()`;

const toLazyModule = (/** @type {string} */ source) => {
  const getters = toNames(source).map((name) => `get ${name}() { return load().${name}; },`);
  return `(() => {
const evaluate = ${toFunction(source)};
let exported;
const load = () => (exported ??= evaluate());
return { ${getters.join(" ")} };
})()`;
};

// Joins the files of the guest world into one script: engines take snapshots of scripts, not of modules.
import { readFileSync } from "node:fs";

const folder = new URL("./world/", import.meta.url);
// trusted: files of this package
const importLine = /^import (\{[^}]*\}|\* as \w+) from "([^"]+)";$/gm;
const exportedName = /^export (?:const|class) (\w+)/gm;
// trusted: files of this package
const exportList = /^export \{([^}]*)\};$/m;

const entry = "./guest.mjs";
/** What the package reads from the global scope: its tables are Base64. */
const packageHead = 'import { atob } from "./encoding.mjs";\n';

/**
 * The world as one expression, whose value is `install` of guest.mjs, and the sources of its lazy modules. A module that is
 * imported as a whole (`import * as`) is requested with `post("module", specifier)` on first access: most programs never do,
 * and every sandbox would pay for it.
 * @param {string} urlModule the package file that implements URL
 * @returns {{ readonly script: string; readonly laterModules: ReadonlyMap<string, string> }}
 */
export const readGuestWorld = (urlModule) => {
  /** @type {Map<string, string>} */
  const sources = new Map();
  const read = (/** @type {string} */ specifier) => {
    const known = sources.get(specifier);
    if (known !== undefined) return known;
    const isOurs = specifier.startsWith("./");
    const text = readFileSync(isOurs ? new URL(specifier, folder) : urlModule, "utf8");
    const source = toAscii(isOurs ? text : packageHead + text);
    sources.set(specifier, source);
    for (const [, , imported = ""] of source.matchAll(importLine)) read(imported);
    return source;
  };
  read(entry);

  /** In evaluation order: a module comes after those it imports. @type {Map<string, string>} */
  const eager = new Map();
  const addEager = (/** @type {string} */ specifier) => {
    if (eager.has(specifier)) return;
    const source = read(specifier);
    for (const [, names = "", imported = ""] of source.matchAll(importLine))
      if (!names.startsWith("*")) addEager(imported);
    eager.set(specifier, `modules["${specifier}"] = (${toFunction(source, read)})();\n`);
  };
  addEager(entry);

  const laterModules = new Map();
  for (const [specifier, source] of sources) {
    const made = `(load, later) => (${toFunction(source, read)})()\n//# sourceURL=guest.mjs`;
    if (!eager.has(specifier)) laterModules.set(specifier, made);
  }
  const loader = readFileSync(new URL("./loader.mjs", folder), "utf8").replace(/^export /gm, "");
  const script = `(() => {\n${toAscii(loader)}${[...eager.values()].join("")}return installWorld;\n})()`;
  return { script, laterModules };
};

/** One character outside Latin-1 would double the size of the script in every sandbox. */
const toAscii = (/** @type {string} */ source) =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const toNames = (/** @type {string} */ source) => [
  ...[...source.matchAll(exportedName)].map(([, name = ""]) => name),
  ...(exportList.exec(source)?.[1] ?? "").split(",").flatMap((name) => name.trim() || []),
];

/** A function that evaluates a module and returns what it exports. */
const toFunction = (/** @type {string} */ source, /** @type {(specifier: string) => string} */ read) => {
  const body = source
    .replace(importLine, (_line, imported, specifier) =>
      imported.startsWith("*")
        ? `const ${imported.slice(5)} = later("${specifier}", ${JSON.stringify(toNames(read(specifier)))});`
        : `const ${imported} = load("${specifier}");`,
    )
    .replace(exportList, "")
    .replace(/^export /gm, "");
  return `() => {\n${body}\nreturn { ${toNames(source).join(", ")} };\n}`;
};

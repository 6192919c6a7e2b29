// Runs the classic compiler in a worker thread. It sees only the files it receives and its own libraries.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

const { module, program, configuration } = workerData;
const ts = createRequire(import.meta.url)(module);
const libraries = dirname(module);
/** @type {Map<string, { text: string; version: number }>} */
const files = new Map();

const { compilerOptions, files: roots } = JSON.parse(configuration);
const folder = dirname(program);
const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);

const readFile = (path) => {
  const held = files.get(path);
  if (held !== undefined) return held.text;
  if (dirname(path) !== libraries || !/[/\\]lib\.[\w.]*d\.ts$/.test(path)) return undefined;
  const text = readFileSync(path, "utf8");
  files.set(path, { text, version: 0 });
  return text;
};

const service = ts.createLanguageService({
  getScriptFileNames: () => roots.map((name) => join(folder, name).replaceAll("\\", "/")),
  getScriptVersion: (path) => String(files.get(path)?.version ?? 0),
  getScriptSnapshot: (path) => {
    const text = readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => folder,
  getCompilationSettings: () => options,
  getDefaultLibFileName: () => join(libraries, "lib.esnext.d.ts"),
  fileExists: (path) => readFile(path) !== undefined,
  readFile,
  directoryExists: (path) => path === folder || path.startsWith(`${folder}/`),
  getDirectories: () => [],
});

const toChain = (next) => (next ?? []).flatMap((one) => [one.messageText, ...toChain(one.next)]);

parentPort?.on("message", (sent) => {
  for (const [path, text] of sent) files.set(path, { text, version: (files.get(path)?.version ?? 0) + 1 });
  parentPort?.postMessage(
    service.getSemanticDiagnostics(program).map(({ code, start = 0, length = 0, messageText }) => ({
      code,
      start,
      end: start + length,
      text: typeof messageText === "string" ? messageText : messageText.messageText,
      chain: typeof messageText === "string" ? [] : toChain(messageText.next),
    })),
  );
});

// Detects whether a program is TypeScript or Python, from signs that only one of them has.
import type { Language } from "../../contracts/index.js";

/** More is not needed to tell them apart. */
const maxRead = 64 * 1024;

/** Whether a trimmed line is a sign of the language. */
type Sign = (line: string) => boolean;

const matches =
  (expression: RegExp): Sign =>
  (line) =>
    expression.test(line);

const blockStart = matches(/^(?:if|elif|for|while|with|try|except|else|finally|class)\b/);
const pythonSigns: readonly Sign[] = [
  matches(/^(?:async )?def \w/),
  (line) => (line.startsWith("import ") || line.startsWith("from ")) && !/["'`{(]/.test(line),
  (line) => line.endsWith(":") && blockStart(line),
  matches(/^(?:elif|except|raise|pass|del|nonlocal|global)\b/),
  matches(/^print\(/),
  matches(/\b(?:None|True|False|lambda)\b/),
  matches(/\bself\.|\b[rbf]""/),
  (line) => line.startsWith("#"),
];
const typescriptSigns: readonly Sign[] = [
  matches(/^(?:export )?(?:const|let|var|interface|enum|type|function|async function) /),
  matches(/=>|[=!]==|&&|\|\||\?\?|\?\.|\$\{/),
  matches(/\b(?:console|JSON)\.\w|\b(?:undefined|null|new Promise)\b/),
  matches(/^\}(?: else| catch| finally|;)/),
  (line) => line.startsWith("import ") && line.includes('""'),
  (line) => line.startsWith("//") || line.startsWith("/*"),
  (line) => line.endsWith(";") || line.endsWith(") {"),
];

const countLines = (lines: readonly string[], signs: readonly Sign[]): number =>
  lines.filter((line) => signs.some((isSign) => isSign(line))).length;

/** The text without the contents of quoted texts and comments, which may be in any language. */
const withoutTexts = (code: string): string =>
  code
    // bounded: at most 64 KB of the person's own program
    .replace(/("""|''')[\s\S]*?(?:\1|$)/g, '""')
    // bounded: at most 64 KB of the person's own program
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
    // bounded: at most 64 KB of the person's own program
    .replace(/(^|\s)(\/\/|#).*$/gm, "$1$2");

const fences: Readonly<Record<string, Language>> = {
  python: "python",
  py: "python",
  typescript: "typescript",
  ts: "typescript",
  javascript: "typescript",
  js: "typescript",
};

/** "unclear" if it has signs of both. A program without signs is TypeScript, the default. */
export const detectLanguage = (code: string): Language | "unclear" => {
  const fence = /^```(\w{0,20})/.exec(code.trimStart())?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(fences, fence)) return fences[fence] ?? "typescript";
  const lines = withoutTexts(code.slice(0, maxRead))
    .split("\n")
    .map((line) => line.trim());
  const [python, typescript] = [countLines(lines, pythonSigns), countLines(lines, typescriptSigns)];
  if (python === 0) return "typescript";
  if (typescript === 0 || python >= 4 * typescript) return "python";
  return typescript >= 4 * python ? "typescript" : "unclear";
};

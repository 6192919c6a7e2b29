// Lists what a diagnosis found wrong, each problem with the step that fixes it.
import type { Settings } from "../../contracts/index.js";
import { toLibrariesFix } from "../runs/python-libraries.js";
import type { DiagnosedProblem, DiagnoseRequest, Diagnosis } from "./diagnose.js";

/** Below this, a run's files may not fit. */
const minFreeBytes = 200 * 1024 * 1024;

/** The sandboxes that programs use. */
const listLacks = (
  { sandboxes, chosen }: Pick<Diagnosis, "sandboxes" | "chosen">,
  settings: Settings,
): readonly DiagnosedProblem[] =>
  chosen.flatMap(({ language, executor }) => {
    const missing = sandboxes.find(({ name }) => name === executor)?.missingLibraries ?? [];
    if (language !== "python" || missing.length === 0) return [];
    return [
      {
        subject: "python",
        problem: `Python programs cannot import ${missing.join(", ")}`,
        fix: toLibrariesFix(executor, settings),
        isSerious: false,
      },
    ];
  });

export const listProblems = (
  { problems = [] }: DiagnoseRequest,
  trustCommand: () => string,
  unmatched: readonly string[],
  found: Pick<Diagnosis, "servers" | "sandboxes" | "chosen" | "folders" | "untrusted">,
  settings: Settings,
): readonly DiagnosedProblem[] => [
  ...unmatched.map((problem) => ({
    subject: "configuration",
    problem,
    fix: 'Correct the rule in "coordinator": { "approve" }: as written, it never applies.',
    isSerious: false,
  })),
  ...problems.map(({ message, hint }) => ({
    subject: "configuration",
    problem: message,
    fix: hint,
    isSerious: true,
  })),
  ...found.servers.flatMap(({ name, error }) =>
    error === undefined
      ? []
      : [{ subject: `server ${name}`, problem: error.message, fix: error.hint, isSerious: true }],
  ),
  ...found.servers.flatMap(({ name, warnings = [] }) =>
    warnings.map((warning) => ({
      subject: `server ${name}`,
      problem: `The server "${name}" offers more than is used: ${warning}`,
      fix: "Configure the server to offer less, or report it to its author.",
      isSerious: false,
    })),
  ),
  ...found.untrusted
    .filter(({ kind }) => kind !== "server")
    .map(({ file, written }) => ({
      subject: "configuration",
      problem: `"${file}" is not trusted yet: ${written}`,
      fix: `Look at it and decide, with: ${trustCommand()}`,
      isSerious: false,
    })),
  ...found.sandboxes.flatMap(({ name, checks }) =>
    checks
      .filter(({ isPassed }) => !isPassed)
      .map(({ what, language, found: seen }) => ({
        subject: `sandbox ${name}`,
        problem: `${language} ${what}: ${seen}`,
        fix: 'Choose another one: "coordinator": { "executor" }.',
        isSerious: true,
      })),
  ),
  ...found.chosen
    .filter(({ executor }) => executor === undefined)
    .map(({ language, reason }) => ({
      subject: language,
      problem: reason,
      fix:
        found.sandboxes.find(({ languages, fix }) => languages.includes(language) && fix !== undefined)
          ?.fix ?? "",
      isSerious: settings.executor !== "auto" || language === "typescript",
    })),
  ...listLacks(found, settings),
  ...found.folders.flatMap(({ what, path, isWritable, freeBytes }) => {
    const subject = `${what} folder`;
    const setting = `"coordinator": { "${what}Folder" }`;
    if (!isWritable)
      return [
        {
          subject,
          problem: `"${path}" cannot be written`,
          fix: `Make it writable, or configure another: ${setting}.`,
          isSerious: true,
        },
      ];
    return freeBytes !== undefined && freeBytes < minFreeBytes
      ? [
          {
            subject,
            problem: `The disk of "${path}" is almost full`,
            fix: `Free some space, or configure another: ${setting}.`,
            isSerious: false,
          },
        ]
      : [];
  }),
];

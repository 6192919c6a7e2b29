// Lists what a diagnosis found wrong, each problem with the step that fixes it.
import type { Settings, VaultFacts } from "../../contracts/index.js";
import { toLibrariesFix } from "../checks/python-libraries.js";
import type { DiagnosedProblem, DiagnoseRequest, Diagnosis } from "./diagnose.js";

/** Below this, a run's files may not fit. */
const minFreeBytes = 200 * 1024 * 1024;

/** Data libraries that the sandbox of Python programs does not have. */
const listMissingLibraries = (
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

/** One problem for all of them, because one decision settles it. */
const listUntrusted = (
  servers: Diagnosis["servers"],
  trustCommand: () => string,
): readonly DiagnosedProblem[] => {
  const names = servers.filter(({ status }) => status === "untrusted").map(({ name }) => `"${name}"`);
  if (names.length === 0) return [];
  return [
    {
      subject: "configuration",
      problem: `Not started, because nobody has trusted the configuration yet: ${names.join(", ")}`,
      fix: `To review what it would start, run: ${trustCommand()}`,
      isSerious: true,
    },
  ];
};

const readPointer = (details: unknown): string | undefined => {
  const { pointer } = (details ?? {}) as { readonly pointer?: unknown };
  return typeof pointer === "string" ? pointer : undefined;
};

/** Warns that anyone who copies the files can read the sign-ins. */
export const listVaultProblems = (vault: VaultFacts | undefined): readonly DiagnosedProblem[] =>
  vault?.keyFile === undefined
    ? []
    : [
        {
          subject: "sign-ins",
          problem: `The key of your sign-ins is in the file "${vault.keyFile}"${vault.note === undefined ? "" : `, because ${vault.note}`}`,
          fix: 'Keep the file private. To store no key, set MCP_COORDINATOR_VAULT_PASSPHRASE, or "coordinator": { "vault": "keychain" }, and sign in again.',
          isSerious: false,
        },
      ];

/** Languages without a sandbox. One reason for several languages is one problem. */
const listUnusable = (
  { chosen, sandboxes }: Pick<Diagnosis, "chosen" | "sandboxes">,
  { executor: wanted }: Settings,
): readonly DiagnosedProblem[] => {
  const unusable = chosen.filter(({ executor }) => executor === undefined);
  return [...new Set(unusable.map(({ reason }) => reason))].map((problem) => {
    const languages = unusable.filter(({ reason }) => reason === problem).map(({ language }) => language);
    const candidates = sandboxes.filter(({ name, languages: known }) =>
      wanted === "auto" ? languages.some((language) => known.includes(language)) : name === wanted,
    );
    return {
      subject: languages.join(", "),
      problem,
      fix: candidates.find(({ fix }) => fix !== undefined)?.fix ?? "",
      isSerious: wanted !== "auto" || languages.includes("typescript"),
    };
  });
};

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
    fix: "Correct it: as written, it never applies.",
    isSerious: false,
  })),
  ...problems.map(({ message, hint, details }) => ({
    subject: "configuration",
    problem: message,
    fix: hint,
    pointer: readPointer(details),
    isSerious: true,
  })),
  ...listUntrusted(found.servers, trustCommand),
  ...found.servers.flatMap(({ name, error, status }) =>
    error === undefined || status === "untrusted"
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
  ...listUnusable(found, settings),
  ...listMissingLibraries(found, settings),
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

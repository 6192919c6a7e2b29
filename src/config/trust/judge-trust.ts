// Decides what of a folder's own configuration may be used: what a person has looked at, as it was then.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CoordinatorError, type UntrustedItem } from "../../contracts/index.js";
import type { EntryJudgement } from "../collect-servers.js";
import type { ExpanderContext } from "../create-expander.js";
import { isObject, quoteText } from "../describe-value.js";
import type { ConfigurationSource } from "../read-sources.js";
import { describeEntry, hashText, type Launch } from "./describe-launch.js";
import { readTrust, type TrustRecord } from "./trust-records.js";

/** All others reach beyond a run: what is executed, where things are kept, what can be reached, what is asked. */
const harmlessSettings = ["limits", "timeouts", "surface", "output", "answerWithinMs"];

export interface TrustJudge {
  readonly judge: (request: EntryJudgement) => CoordinatorError | undefined;
  /** Names of settings that are not to be used. */
  readonly omitSettings: (source: ConfigurationSource) => readonly string[];
  readonly mayUseProjectVariables: () => boolean;
  /** A state folder brings skills, runs that can be gone on with, and who may call over HTTP. */
  readonly mayUseProjectState: (folder: string) => boolean;
  readonly untrusted: readonly UntrustedItem[];
}

export interface TrustJudgeOptions extends Omit<ExpanderContext, "mayUseProjectVariables"> {
  readonly personalFolder: string;
  readonly onWarning: (text: string) => void;
}

const toError = ({ name, written, before }: UntrustedItem): CoordinatorError => {
  const state =
    before === undefined
      ? `it would start ${quoteText(written)}, which came with this folder and is not trusted yet`
      : before === written
        ? `${quoteText(written)} was trusted, and its folder, variables or settings have changed since`
        : `it was trusted as ${quoteText(before)} and is ${quoteText(written)} now`;
  return new CoordinatorError("CONFIG_UNTRUSTED", `Cannot use server ${quoteText(name)}: ${state}`);
};

/** Reads what is trusted when it is first asked. */
export const openTrustJudge = (options: TrustJudgeOptions): TrustJudge => {
  const untrusted: UntrustedItem[] = [];
  let known: readonly TrustRecord[] | undefined;
  const isTrusted = (item: Omit<UntrustedItem, "before">): UntrustedItem | undefined => {
    known ??= readTrust(options.personalFolder, options.onWarning);
    const record = known.find(
      ({ kind, file, name }) => kind === item.kind && file === item.file && name === item.name,
    );
    if (record?.fingerprint === item.fingerprint) return undefined;
    const waiting = record === undefined ? item : { ...item, before: record.written };
    untrusted.push(waiting);
    return waiting;
  };

  const describe = (raw: unknown, { folder }: ConfigurationSource): Launch =>
    describeEntry(raw, { ...options, folder });

  const judge = ({ source, name, raw, written }: EntryJudgement): CoordinatorError | undefined => {
    const launch = describe(raw, source);
    const waiting = isTrusted({ kind: "server", file: source.name, name, written, ...launch });
    return waiting === undefined ? undefined : toError(waiting);
  };

  const omitSettings = (source: ConfigurationSource): readonly string[] => {
    if (source.isFound !== true || !isObject(source.settings)) return [];
    const steered = Object.entries(source.settings).filter(([name]) => !harmlessSettings.includes(name));
    if (steered.length === 0) return [];
    const written = JSON.stringify(Object.fromEntries(steered));
    const { addServers } = source.settings;
    const from = isObject(addServers) && isObject(addServers.from) ? addServers.from : {};
    // The files that these entries refer to are not part of the settings' own text.
    const launches = Object.entries(from).map(([name, raw]) => ({ name, ...describe(raw, source) }));
    const waiting = isTrusted({
      kind: "settings",
      file: source.name,
      name: "coordinator",
      written,
      facts: launches.flatMap(({ name, facts }) =>
        facts.map((fact) => ({ ...fact, label: `${name}: ${fact.label}` })),
      ),
      fingerprint: hashText([written, ...launches.map(({ fingerprint }) => fingerprint)].join("\n")),
    });
    if (waiting === undefined) return [];
    const names = steered.map(([name]) => name);
    const quoted = names.map((name) => `"${name}"`).join(", ");
    options.onWarning(
      `The settings ${quoted} of "${source.name}" came with this folder and are left out: look at them, then run "mcp-coordinator trust"`,
    );
    return names;
  };

  let verdict: boolean | undefined;
  const mayUseProjectVariables = (): boolean => {
    verdict ??= judgeEnvironment();
    return verdict;
  };
  const judgeEnvironment = (): boolean => {
    const file = join(options.workingFolder, ".env");
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      return true;
    }
    const names = Object.keys(options.readEnvironmentFile(file) ?? {});
    const written = `the variables ${names.join(", ")} for servers that are configured elsewhere`;
    return (
      isTrusted({ kind: "environment", file, name: ".env", written, fingerprint: hashText(text) }) ===
      undefined
    );
  };
  const mayUseProjectState = (folder: string): boolean => {
    const written = "skills, memory, runs and files that it holds";
    const waiting = isTrusted({
      kind: "state",
      file: folder,
      name: basename(folder),
      written,
      // What it holds changes with every run: it is trusted as the place that it is.
      fingerprint: hashText(folder),
    });
    if (waiting !== undefined)
      options.onWarning(
        `The state folder "${folder}" came with this folder and is left aside for your own: look at it, then run "mcp-coordinator trust"`,
      );
    return waiting === undefined;
  };
  return { judge, omitSettings, mayUseProjectVariables, mayUseProjectState, untrusted };
};

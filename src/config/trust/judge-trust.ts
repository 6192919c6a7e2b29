// Decides which parts of a configuration are trusted, and stores the decisions of the user.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CoordinatorError, isFields, type TrustRecord, type UntrustedItem } from "../../contracts/index.js";
import type { EntryJudgement } from "../collect-servers.js";
import { type ExpanderContext, isSteering } from "../expand-variables.js";
import { quoteText } from "../parse-json.js";
import type { ConfigurationSource } from "../read-sources.js";
import { harmlessSettings } from "../resolve-settings.js";
import { describeEntry, hashFile, hashText, type Launch, renderFile } from "./describe-launch.js";

export const trustFile = (personalFolder: string): string => join(personalFolder, "trust.json");

const isRecord = (value: unknown): value is TrustRecord =>
  isFields(value) &&
  ["kind", "file", "name", "fingerprint", "written"].every((field) => typeof value[field] === "string");

/** Reads the records. An invalid file trusts nothing and is reported to `onWarning`. */
export const readTrust = (
  personalFolder: string,
  onWarning: (text: string) => void = () => {},
): readonly TrustRecord[] => {
  const path = trustFile(personalFolder);
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const records = isFields(value) ? value.trusted : undefined;
    if (!Array.isArray(records) || !records.every(isRecord)) throw new SyntaxError("no records");
    return records;
  } catch (thrown) {
    if (isFields(thrown) && thrown.code === "ENOENT") return [];
    onWarning(
      `Nothing is trusted: "${path}" cannot be read, expected the file that "mcp-coordinator trust" writes`,
    );
    return [];
  }
};

/** Writes all records atomically, readable by their owner only. */
export const writeTrust = (personalFolder: string, trusted: readonly TrustRecord[]): void => {
  const path = trustFile(personalFolder);
  const draft = `${path}.${process.pid}.draft`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify({ trusted }, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    const message = `Cannot write "${path}": the state folder is not writable, expected one of your own`;
    throw new CoordinatorError("STORE_FAILED", message, { cause });
  }
};

/** `true`: everything; `false` or absent: what the user has trusted; a list: also what is on the list. */
export type Trust = boolean | readonly TrustRecord[] | undefined;

export interface TrustJudge {
  readonly judge: (request: EntryJudgement) => CoordinatorError | undefined;
  /** The settings of a source as the user trusted them: the current ones, those before a change, or none. */
  readonly readTrusted: (source: ConfigurationSource) => unknown;
  /** Files whose settings were trusted at some time. */
  readonly listSettingsFiles: () => readonly string[];
  readonly mayUseProjectVariables: () => boolean;
  /** A state folder contains skills, resumable runs and the HTTP callers. */
  readonly mayUseProjectState: (folder: string) => boolean;
  readonly untrusted: readonly UntrustedItem[];
  /** What is used without a stored record. */
  readonly accepted: readonly TrustRecord[];
}

export interface TrustJudgeOptions extends Omit<ExpanderContext, "mayUseProjectVariables"> {
  readonly trust: Trust;
  /** Named files need no record. */
  readonly trustsNamed: boolean;
  readonly personalFolder: string;
  /** The command that shows what is not trusted yet. */
  readonly trustCommand: () => string;
  readonly onWarning: (text: string) => void;
}

const toError = ({ name, written, before }: UntrustedItem, hint: string): CoordinatorError => {
  const state =
    before === undefined
      ? `it would start ${quoteText(written)}, which is not trusted yet`
      : before === written
        ? `${quoteText(written)} was trusted, but its folder, variables or settings have changed since`
        : `it was trusted as ${quoteText(before)}, but is ${quoteText(written)} now`;
  return new CoordinatorError("CONFIG_UNTRUSTED", `Cannot use server ${quoteText(name)}: ${state}`, { hint });
};

const isOf = (item: Pick<UntrustedItem, "kind" | "file" | "name">, record: TrustRecord): boolean =>
  record.kind === item.kind && record.file === item.file && record.name === item.name;

const settingsName = "coordinator";

/** How many lines of a folder's `.env` are shown, without values. */
const shownLines = 20;

const readRecorded = ({ written }: TrustRecord): unknown => {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
};

/** Opens the judge. Trust records are read on first use. */
export const openTrustJudge = (options: TrustJudgeOptions): TrustJudge => {
  const { trust } = options;
  const untrusted: UntrustedItem[] = [];
  const accepted: TrustRecord[] = typeof trust === "object" ? [...trust] : [];
  let onDisk: readonly TrustRecord[] | undefined;
  const listRecords = (): readonly TrustRecord[] => {
    onDisk ??= readTrust(options.personalFolder, options.onWarning);
    return [...accepted, ...onDisk];
  };
  /** The latest record of an item. */
  const findRecord = (item: Pick<UntrustedItem, "kind" | "file" | "name">): TrustRecord | undefined =>
    listRecords()
      .filter((record) => isOf(item, record))
      .sort((one, other) => (one.trustedAt < other.trustedAt ? 1 : -1))[0];

  /** Returns `undefined` if the item may be used. */
  const findUntrusted = (
    item: Omit<UntrustedItem, "before">,
    needsTrust: ConfigurationSource["needsTrust"] = "found",
  ): UntrustedItem | undefined => {
    const isKnown = listRecords().some(
      (record) => isOf(item, record) && record.fingerprint === item.fingerprint,
    );
    if (isKnown) return undefined;
    const isNamed = options.trustsNamed && needsTrust === "named";
    if (trust === true || isNamed) {
      const { facts: _, ...record } = item;
      accepted.push({ ...record, trustedAt: new Date().toISOString(), isNamed });
      return undefined;
    }
    const record = findRecord(item);
    const waiting = record === undefined ? item : { ...item, before: record.written };
    untrusted.push(waiting);
    return waiting;
  };

  const describe = (raw: unknown, { folder }: ConfigurationSource): Launch =>
    describeEntry(raw, { ...options, folder });

  const judge = ({ source, name, raw, written }: EntryJudgement): CoordinatorError | undefined => {
    const launch = describe(raw, source);
    const item = { kind: "server", file: source.name, name, written, ...launch } as const;
    const waiting = findUntrusted(item, source.needsTrust);
    if (waiting === undefined) return undefined;
    return toError(waiting, `To review what it starts, run: ${options.trustCommand()}`);
  };

  const readTrusted = (source: ConfigurationSource): unknown => {
    if (source.needsTrust === undefined) return source.settings;
    const place = { kind: "settings", file: source.name, name: settingsName } as const;
    const record = findRecord(place);
    // Settings that are not an object are refused when they are resolved.
    const given = isFields(source.settings) ? source.settings : {};
    const steered = Object.entries(given).filter(([name]) => !harmlessSettings.includes(name));
    // Removing trusted settings is a change too.
    if (steered.length === 0 && record === undefined) return source.settings;
    const written = JSON.stringify(Object.fromEntries(steered));
    const from = isFields(given.addServers) && isFields(given.addServers.from) ? given.addServers.from : {};
    // The settings' text does not contain the files that these entries refer to.
    const launches = Object.entries(from).map(([name, raw]) => ({ name, ...describe(raw, source) }));
    const facts = launches.flatMap((launch) =>
      launch.facts.map((fact) => ({ ...fact, label: `${launch.name}: ${fact.label}` })),
    );
    const fingerprint = hashText([written, ...launches.map((launch) => launch.fingerprint)].join("\n"));
    const waiting = findUntrusted({ ...place, written, facts, fingerprint }, source.needsTrust);
    if (waiting === undefined) return source.settings;
    return record === undefined ? undefined : readRecorded(record);
  };

  const listSettingsFiles = (): readonly string[] =>
    listRecords().flatMap(({ kind, file, written }) =>
      kind === "settings" && written !== "{}" ? [file] : [],
    );

  let verdict: boolean | undefined;
  const mayUseProjectVariables = (): boolean => {
    verdict ??= judgeEnvironment();
    return verdict;
  };
  const judgeEnvironment = (): boolean => {
    const file = join(options.workingFolder, ".env");
    const variables = options.readEnvironmentFile(file);
    // An unreadable file supplies no variables.
    if (variables === undefined) return true;
    const names = Object.keys(variables);
    const hash = hashFile(file);
    const item = {
      kind: "environment",
      file,
      name: ".env",
      written: `the variables ${names.join(", ")} for servers that are configured elsewhere`,
      facts: [
        { label: "file", value: renderFile(statSync(file).size, hash), isSteering: false },
        ...names
          .slice(0, shownLines)
          .map((name) => ({ label: "line", value: `${name}=***`, isSteering: isSteering(name) })),
      ],
      fingerprint: hash,
    } as const;
    return findUntrusted(item) === undefined;
  };
  const stateVerdicts = new Map<string, boolean>();
  const mayUseProjectState = (folder: string): boolean => {
    const known = stateVerdicts.get(folder);
    if (known !== undefined) return known;
    const item = {
      kind: "state",
      file: folder,
      name: basename(folder),
      written: "skills, memory, runs and files that it holds",
      // Its content changes with every run, so the location is trusted.
      fingerprint: hashText(folder),
    } as const;
    const isUsed = findUntrusted(item) === undefined;
    stateVerdicts.set(folder, isUsed);
    if (!isUsed)
      options.onWarning(
        `The state folder "${folder}" came with this folder and is not trusted, so your own is used. To review it, run: ${options.trustCommand()}`,
      );
    return isUsed;
  };
  return {
    judge,
    readTrusted,
    listSettingsFiles,
    mayUseProjectVariables,
    mayUseProjectState,
    untrusted,
    accepted,
  };
};

// Merges the settings in rising precedence: defaults, files, environment, options. Stricter values apply at once, looser ones wait for trust.
import { join } from "node:path";
import type * as z from "zod";
import {
  approvalClasses,
  auditModes,
  CoordinatorError,
  isFields,
  type LimitName,
  type Limits,
  type Settings,
} from "../contracts/index.js";
import { nearestNames } from "../schema/index.js";
import { defaultCacheFolder, defaultStateFolder, personalStateFolder, resolvePath } from "./find-files.js";
import { kindOfValue, quoteText, valueAt } from "./parse-json.js";
import {
  listSettings,
  type SettingFacts,
  type SettingsInput,
  settingsSchema,
  withoutCompiling,
} from "./settings-schema.js";

/** The settings of one source, as written. */
interface SettingsLayer {
  /** The file, environment variable or option, as shown in messages. */
  readonly source: string;
  /** The base of relative paths. */
  readonly folder: string;
  readonly value: unknown;
}

interface SettingsRequest {
  /** Layers of files, highest precedence first. */
  readonly files: readonly SettingsLayer[];
  readonly options: SettingsLayer;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly homeFolder: string;
  readonly mayUseProjectState?: ((folder: string) => boolean) | undefined;
}

const describeFound = (value: unknown): string => {
  if (typeof value === "string") return quoteText(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : kindOfValue(value);
};

/** Suggests a setting: the same name elsewhere, or a similar name in the same object. */
const findNearest = (path: readonly string[]): string | undefined => {
  const name = path.at(-1) ?? "";
  const known = listSettings().map((setting) => setting.path);
  const elsewhere = known.find((candidate) => candidate.at(-1) === name);
  if (elsewhere !== undefined) return ["coordinator", ...elsewhere].join(".");
  const parent = path.slice(0, -1);
  const siblings = known
    .filter((candidate) => parent.every((part, index) => candidate[index] === part))
    .map((candidate) => candidate[parent.length] ?? "");
  const [nearest] = nearestNames(name, siblings, 1);
  return nearest === undefined ? undefined : ["coordinator", ...parent, nearest].join(".");
};

/** The next step, for settings whose allowed values alone do not name it. */
const suggestValue = (path: readonly PropertyKey[], found: string): string | undefined => {
  if (path.at(-1) === "executor")
    return 'Write "auto", or "container" for stronger isolation. "mcp-coordinator doctor" shows what can run here.';
  if (path.at(-2) !== "approve") return undefined;
  // A misspelt class, else the server of that name.
  const word = found.replaceAll('"', "");
  const [nearest] = nearestNames(word, approvalClasses, 1);
  return nearest === undefined
    ? `Write "${word}.*" for every tool of the server "${word}".`
    : `Write "${nearest}".`;
};

const toError = (issue: z.core.$ZodIssue, layer: SettingsLayer): CoordinatorError => {
  const unknownName = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(unknownName === undefined ? [] : [unknownName])].map(String);
  const field = ["coordinator", ...path].join(".");
  const details = { source: layer.source, field };
  const subject = `Cannot use setting ${quoteText(field)} of "${layer.source}"`;
  if (unknownName === undefined) {
    // The value may be the key itself.
    const isKey = issue.path.at(-1) === "apiKey";
    const found = isKey ? "something else" : describeFound(valueAt(layer.value, issue.path));
    const message = `${subject}: found ${found}, expected ${issue.message}`;
    return new CoordinatorError("CONFIG_INVALID", message, {
      details,
      hint: suggestValue(issue.path, found),
    });
  }
  const nearest = findNearest(path);
  if (nearest === undefined) {
    const hint = "Remove it, or use one of the settings in docs/configuration.md.";
    return new CoordinatorError("CONFIG_INVALID", `${subject}: there is no such setting`, { details, hint });
  }
  const message = `${subject}: there is no such setting, the nearest is "${nearest}"`;
  return new CoordinatorError("CONFIG_INVALID", message, { details, hint: `Use "${nearest}" instead.` });
};

/** Without settings that this version does not have, or not with this value: for what an earlier version stored. */
export const dropInvalid = (value: unknown): unknown => {
  const issues = settingsSchema.safeParse(value, withoutCompiling).error?.issues ?? [];
  const wrong = new Set(
    issues.flatMap(({ path: [name], ...issue }) =>
      name === undefined && issue.code === "unrecognized_keys" ? issue.keys : [String(name)],
    ),
  );
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
    : undefined;
};

const validate = (layer: SettingsLayer, homeFolder: string): SettingsInput => {
  const result = settingsSchema.safeParse(layer.value, withoutCompiling);
  const issue = result.error?.issues[0];
  if (issue !== undefined) throw toError(issue, layer);
  // Not the parsed result: its defaults would hide the layers below.
  const input = layer.value as SettingsInput;
  const toAbsolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolvePath(path, layer.folder, homeFolder);
  // A bare command is looked up on PATH.
  const toCommand = (command: string | undefined): string | undefined =>
    command !== undefined && /[/\\~]/.test(command) ? toAbsolute(command) : command;
  const isUri = (root: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(root);
  const { python, container, answers } = input;
  // An undefined value does not hide the layers below.
  return {
    ...input,
    cacheFolder: toAbsolute(input.cacheFolder),
    libraryFolder: toAbsolute(input.libraryFolder),
    stateFolder: toAbsolute(input.stateFolder),
    skillsFolder: toAbsolute(input.skillsFolder),
    pinsFile: toAbsolute(input.pinsFile),
    python: python && { ...python, interpreter: toCommand(python.interpreter) },
    container: container && { ...container, runtime: toCommand(container.runtime) },
    answers: answers && {
      ...answers,
      roots: answers.roots?.map((root) => (root === undefined || isUri(root) ? root : toAbsolute(root))),
    },
  };
};

const fromText = (text: string, { type, variable, path }: SettingFacts): unknown => {
  // The settings never contain the key itself.
  if (path.at(-1) === "apiKey" && !text.startsWith("${")) return `\${env:${variable}}`;
  if (type === "number" && /^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(?:true|false|1|0)$/i.test(text)) return /^(?:true|1)$/i.test(text);
  if (type === "array") return text.split(",").map((part) => part.trim());
  return text;
};

const readEnvironment = ({ environment, workingFolder }: SettingsRequest): readonly SettingsLayer[] =>
  listSettings().flatMap((setting) => {
    const text = environment[setting.variable]?.trim();
    if (text === undefined || text === "") return [];
    const value = setting.path.reduceRight<unknown>(
      (inner, name) => ({ [name]: inner }),
      fromText(text, setting),
    );
    return [{ source: setting.variable, folder: workingFolder, value }];
  });

const merge = (below: unknown, above: unknown): unknown => {
  if (above === undefined) return below;
  if (!isFields(above)) return above;
  const base = isFields(below) ? below : {};
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(above).map(([key, value]) => [
        key,
        merge(Object.hasOwn(base, key) ? base[key] : undefined, value),
      ]),
    ),
  };
};

/** Resolves the settings of all layers. Throws for an invalid one, naming its source and field. */
export const resolveSettings = (request: SettingsRequest): Settings => {
  const { files, options, homeFolder, workingFolder, environment, mayUseProjectState } = request;
  const written = [...files.toReversed(), ...readEnvironment(request), options].filter(
    ({ value }) => value !== undefined,
  );
  const layers = written.map((layer) => validate(layer, homeFolder));
  // Policies are documents of their own: merged, one could remove the rules of another.
  const { policy: _, ...settings } = settingsSchema.parse(
    layers.reduce<unknown>(merge, {}),
    withoutCompiling,
  );
  // A project or an agent that edits a file must not switch off what another source requires.
  const audit = auditModes.findLast((mode) => layers.some((layer) => layer.audit === mode)) ?? settings.audit;
  const places = { platform: process.platform, homeFolder, environment };
  const cacheFolder = settings.cacheFolder ?? defaultCacheFolder(places);
  const stateFolder =
    settings.stateFolder ?? defaultStateFolder({ ...places, workingFolder, mayUseProjectState });
  const skillsFolder = settings.skillsFolder ?? join(stateFolder, "skills");
  const pinsFile = settings.pinsFile ?? join(stateFolder, "mcp-coordinator.lock");
  // A project must not get the sign-ins of a person, so its files do not choose their folder.
  const given = (options.value as SettingsInput | undefined)?.stateFolder;
  const personal =
    given === undefined ? personalStateFolder(places) : resolvePath(given, options.folder, homeFolder);
  const vaultFolder = join(personal, "vault");
  return {
    ...settings,
    audit,
    cacheFolder,
    stateFolder,
    skillsFolder,
    pinsFile,
    vaultFolder,
  } as Settings;
};

type Narrow<Value> = (before: Value, after: Value) => Value;

const hasAll = (texts: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((text) => texts.includes(text));

/** The order of a list has no meaning. If nothing is held back, use the new order. */
const union: Narrow<readonly string[]> = (before, after) =>
  hasAll(after, before) ? after : [...new Set([...before, ...after])];

const common: Narrow<readonly string[]> = (before, after) =>
  hasAll(before, after) ? after : before.filter((text) => after.includes(text));

/** Lowering these would delete stored data. */
const removing: readonly LimitName[] = ["storedValues", "storedBytes"];

const lower: Narrow<Limits> = (before, after) =>
  Object.fromEntries(
    (Object.keys(before) as LimitName[]).map((name) => [
      name,
      removing.includes(name) ? before[name] : Math.min(before[name], after[name]),
    ]),
  ) as Limits;

/** The one that comes first in the order. */
const stricter = <Value>(order: readonly Value[], before: Value, after: Value): Value =>
  order.find((value) => value === before || value === after) ?? before;

const off: Narrow<boolean> = (before, after) => before && after;

/** These only affect presentation and waiting times. */
export const harmlessSettings: readonly string[] = ["timeouts", "surface", "output", "answerWithinMs"];

/** The part of a change that applies without trust. Settings that are not listed keep their trusted value. */
const table: { readonly [Name in keyof Settings]?: Narrow<Settings[Name]> } = {
  limits: lower,
  approve: union,
  pins: (before, after) => stricter(["strict", "ask", "warn", "off"], before, after),
  skillSignatures: (before, after) => stricter(["strict", "warn", "off"], before, after),
  approvals: (before, after) => (after === "outside" ? after : before),
  answers: (before, after) => ({
    elicitation: stricter(["refuse", "people", "agent"], before.elicitation, after.elicitation),
    sampling: stricter(["refuse", "client"], before.sampling, after.sampling),
    logs: after.logs,
    roots: common(before.roots, after.roots),
  }),
  network: (before, after) => ({ allow: common(before.allow, after.allow) }),
  packages: common,
  callTool: off,
  runPython: off,
  proposeSkills: off,
  allowSelf: off,
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const narrow = <Name extends keyof Settings>(
  name: Name,
  before: Settings,
  after: Settings,
): Settings[Name] =>
  harmlessSettings.includes(name) || isSame(before[name], after[name])
    ? after[name]
    : (table[name]?.(before[name], after[name]) ?? before[name]);

/** Returns `wanted` where it allows no more than `trusted`, and the settings that are held back in whole or in part. */
export const narrowSettings = (
  trusted: Settings,
  wanted: Settings,
): { readonly settings: Settings; readonly held: readonly string[] } => {
  const names = [...new Set([...Object.keys(trusted), ...Object.keys(wanted)])] as (keyof Settings)[];
  const settings = Object.fromEntries(
    names.map((name) => [name, narrow(name, trusted, wanted)]),
  ) as unknown as Settings;
  return { settings, held: names.filter((name) => !isSame(settings[name], wanted[name])) };
};

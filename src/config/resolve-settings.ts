// Merges the settings in rising precedence: defaults, files, environment, options.
import { join } from "node:path";
import type * as z from "zod";
import { approvalClasses, CoordinatorError, type Settings } from "../contracts/index.js";
import { isObject, kindOfValue, quoteText, valueAt } from "./describe-value.js";
import { defaultCacheFolder, defaultStateFolder, resolvePath } from "./paths.js";
import {
  listSettings,
  type SettingFacts,
  type SettingsInput,
  settingsSchema,
  withoutCompiling,
} from "./settings-schema.js";

/** The settings of one source, as written. */
export interface SettingsLayer {
  /** The file, environment variable or option, as shown in messages. */
  readonly source: string;
  /** The base of relative paths. */
  readonly folder: string;
  readonly value: unknown;
}

export interface SettingsRequest {
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
const findNearest = async (path: readonly string[]): Promise<string | undefined> => {
  const name = path.at(-1) ?? "";
  const known = listSettings().map((setting) => setting.path);
  const elsewhere = known.find((candidate) => candidate.at(-1) === name);
  if (elsewhere !== undefined) return ["coordinator", ...elsewhere].join(".");
  const parent = path.slice(0, -1);
  const siblings = known
    .filter((candidate) => parent.every((part, index) => candidate[index] === part))
    .map((candidate) => candidate[parent.length] ?? "");
  const { nearestNames } = await import("../schema/index.js");
  const [nearest] = nearestNames(name, siblings, 1);
  return nearest === undefined ? undefined : ["coordinator", ...parent, nearest].join(".");
};

/** Suggests a misspelt class, else the server of that name. */
const suggestRule = async (found: string): Promise<string> => {
  const word = found.replaceAll('"', "");
  const { nearestNames } = await import("../schema/index.js");
  const [nearest] = nearestNames(word, approvalClasses, 1);
  return nearest === undefined
    ? `Write "${word}.*" for every tool of the server "${word}".`
    : `Write "${nearest}".`;
};

const toError = async (issue: z.core.$ZodIssue, layer: SettingsLayer): Promise<CoordinatorError> => {
  const unknownName = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(unknownName === undefined ? [] : [unknownName])].map(String);
  const field = ["coordinator", ...path].join(".");
  const details = { source: layer.source, field };
  const subject = `Cannot use setting ${quoteText(field)} of "${layer.source}"`;
  if (unknownName === undefined) {
    // Somebody may have written the key itself.
    const isKey = issue.path.at(-1) === "apiKey";
    const found = isKey ? "something else" : describeFound(valueAt(layer.value, issue.path));
    const message = `${subject}: found ${found}, expected ${issue.message}`;
    const hint = issue.path.at(-2) === "approve" ? await suggestRule(found) : undefined;
    return new CoordinatorError("CONFIG_INVALID", message, {
      details,
      hint,
    });
  }
  const nearest = await findNearest(path);
  if (nearest === undefined) {
    const hint = "Remove it, or use one of the settings in docs/configuration.md.";
    return new CoordinatorError("CONFIG_INVALID", `${subject}: there is no such setting`, { details, hint });
  }
  const message = `${subject}: there is no such setting, the nearest is "${nearest}"`;
  return new CoordinatorError("CONFIG_INVALID", message, { details, hint: `Use "${nearest}" instead.` });
};

const validate = async (layer: SettingsLayer, homeFolder: string): Promise<SettingsInput> => {
  const result = settingsSchema.safeParse(layer.value, withoutCompiling);
  const issue = result.error?.issues[0];
  if (issue !== undefined) throw await toError(issue, layer);
  // Not the parsed result: its defaults would hide the layers below.
  const input = layer.value as SettingsInput;
  // A bare command is looked up on PATH.
  const toCommand = (command: string | undefined): string | undefined =>
    command === undefined || !/[/\\~]/.test(command)
      ? undefined
      : resolvePath(command, layer.folder, homeFolder);
  const interpreter = toCommand(input.python?.interpreter);
  const runtime = toCommand(input.container?.runtime);
  return {
    ...input,
    ...(input.cacheFolder === undefined
      ? {}
      : { cacheFolder: resolvePath(input.cacheFolder, layer.folder, homeFolder) }),
    ...(input.libraryFolder === undefined
      ? {}
      : { libraryFolder: resolvePath(input.libraryFolder, layer.folder, homeFolder) }),
    ...(input.stateFolder === undefined
      ? {}
      : { stateFolder: resolvePath(input.stateFolder, layer.folder, homeFolder) }),
    ...(input.skillsFolder === undefined
      ? {}
      : { skillsFolder: resolvePath(input.skillsFolder, layer.folder, homeFolder) }),
    ...(interpreter === undefined ? {} : { python: { ...input.python, interpreter } }),
    ...(runtime === undefined ? {} : { container: { ...input.container, runtime } }),
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
  if (!isObject(above)) return above;
  const base = isObject(below) ? below : {};
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
export const resolveSettings = async (request: SettingsRequest): Promise<Settings> => {
  const { files, options, homeFolder, workingFolder, environment, mayUseProjectState } = request;
  const written = [...files.toReversed(), ...readEnvironment(request), options].filter(
    ({ value }) => value !== undefined,
  );
  const layers = await Promise.all(written.map((layer) => validate(layer, homeFolder)));
  const settings = settingsSchema.parse(layers.reduce<unknown>(merge, {}), withoutCompiling);
  const places = { platform: process.platform, homeFolder, environment };
  const cacheFolder = settings.cacheFolder ?? defaultCacheFolder(places);
  const stateFolder =
    settings.stateFolder ?? defaultStateFolder({ ...places, workingFolder, mayUseProjectState });
  const skillsFolder = settings.skillsFolder ?? join(stateFolder, "skills");
  return { ...settings, cacheFolder, stateFolder, skillsFolder } as Settings;
};

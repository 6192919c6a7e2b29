// Compares settings with the trusted ones: stricter values apply at once, looser ones wait for trust.
import type { LimitName, Limits, Settings } from "../../contracts/index.js";

type Narrow<Value> = (before: Value, after: Value) => Value;

const hasAll = (texts: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((text) => texts.includes(text));

/** The order of a list has no meaning. If nothing is held back, use the new order. */
const join: Narrow<readonly string[]> = (before, after) =>
  hasAll(after, before) ? after : [...new Set([...before, ...after])];

const common: Narrow<readonly string[]> = (before, after) =>
  hasAll(before, after) ? after : before.filter((text) => after.includes(text));

/** Lowering these would delete stored data. */
const removing: readonly LimitName[] = ["keptValues", "keptBytes"];

const lower: Narrow<Limits> = (before, after) =>
  Object.fromEntries(
    (Object.keys(before) as LimitName[]).map((name) => [
      name,
      removing.includes(name) ? before[name] : Math.min(before[name], after[name]),
    ]),
  ) as Limits;

const off: Narrow<boolean> = (before, after) => before && after;

/** These only affect presentation and waiting times. */
export const harmlessSettings: readonly string[] = ["timeouts", "surface", "output", "answerWithinMs"];

/** The part of a change that applies without trust. Settings that are not listed keep their trusted value. */
const table: { readonly [Name in keyof Settings]?: Narrow<Settings[Name]> } = {
  limits: lower,
  approve: join,
  approvals: (before, after) => (after === "outside" ? after : before),
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

// Applies the rules to a program: those of both languages and those of its own. The result of a check is its findings and its effect manifest.
import { hash } from "node:crypto";
import {
  defaultRepeats,
  type EffectManifest,
  type Json,
  type ManifestCall,
  type Tool,
  toCanonicalJson,
  toEffect,
} from "../../contracts/index.js";
import { type CheckRequest, type CheckResult, type Finding, selectFindings } from "../check.js";
import { type BareProgram, openLines, toPosition } from "../program.js";
import { type BoundValues, bindCall } from "./bind-values.js";
import { checkBuiltIns } from "./check-built-ins.js";
import { checkAdvice } from "./check-names.js";
import { checkArguments, checkToolNames, findUnlisted, type Mention } from "./check-tools.js";
import type { RuleContext } from "./context.js";
import { type KnownValue, toJsonValue } from "./read-literal.js";

type Rule<Context> = (context: Context) => readonly Finding[];

/** The rules of one language. */
export interface LanguageRules<Context extends RuleContext> {
  /** Rules on names. They always apply. */
  readonly names: readonly Rule<Context>[];
  /** Rules on values. The author can turn them off with a comment. */
  readonly values: readonly Rule<Context>[];
  /** Whether a comment turns the rules on values off for the whole program. */
  readonly isUnchecked: (text: string) => boolean;
  /** Whether a comment turns them off for the line of this offset. */
  readonly isIgnored: (text: string, offset: number) => boolean;
  /** Words that may name a server. */
  readonly listMentions: (context: Context) => readonly Mention[];
}

export const applyRules = <Context extends RuleContext>(
  context: Context,
  rules: LanguageRules<Context>,
): readonly Finding[] => {
  const { text } = context.tree;
  const names = [...rules.names, checkToolNames, checkAdvice].flatMap((rule) => rule(context));
  const values = [checkArguments, checkBuiltIns, ...rules.values];
  return [
    ...names,
    ...findUnlisted(context, () => rules.listMentions(context)),
    ...(rules.isUnchecked(text)
      ? []
      : values.flatMap((rule) => rule(context)).filter(({ offset }) => !rules.isIgnored(text, offset))),
  ];
};

export const toDiagnostics = (
  { module }: CheckRequest,
  { code, removedLines }: BareProgram,
  findings: readonly Finding[],
): Pick<CheckResult, "diagnostics" | "omitted"> => {
  const { reported, omitted } = selectFindings(findings);
  const diagnostics = reported.map(({ offset, ...finding }) => {
    const place = toPosition(code, offset);
    return { ...finding, file: module?.file, ...place, line: place.line + removedLines };
  });
  return { diagnostics, omitted: omitted || undefined };
};

/** Longer constants are listed by their digest. */
const maxConstantLength = 2000;
/** Further places are joined to one entry for each tool, with any arguments. */
const maxPlaces = 1000;
const maxDynamic = 20;

type KnownArguments = Pick<ManifestCall, "constants" | "choices" | "digests" | "open" | "isOpen">;

const anyArguments: KnownArguments = { constants: {}, open: [], isOpen: true };

export const readManifest = (
  { tree, uses }: Pick<RuleContext, "tree" | "uses">,
  { module }: Pick<CheckRequest, "module">,
  { code, removedLines }: BareProgram,
): EffectManifest => {
  const lines = openLines(code);
  const toLine = (offset: number): number => lines.find(offset).line + removedLines;
  const toEntry = (
    tool: Tool,
    place: { readonly start: number } | undefined,
    { isMany, ...given }: KnownArguments & { readonly isMany: boolean },
  ): ManifestCall => ({
    server: tool.server,
    tool: tool.name,
    fingerprint: tool.fingerprint,
    isReadOnly: tool.isReadOnly,
    effect: toEffect(tool),
    file: module?.file,
    line: place === undefined ? undefined : toLine(place.start),
    count: isMany ? "many" : "once",
    max: isMany ? defaultRepeats : 1,
    ...given,
  });
  const places = [
    ...uses.calls.map((call) => ({ call, tool: call.tool, node: call.node })),
    ...uses.values.map(({ tool, node }) => ({ call: undefined, tool, node })),
  ].sort((one, other) => (one.node?.start ?? 0) - (other.node?.start ?? 0));
  const entries = places.slice(0, maxPlaces).map(({ call, tool, node }) => {
    if (call === undefined) return toEntry(tool, node, { ...anyArguments, isMany: true });
    const known = readArguments(bindCall(tree, tool.inputSchema, call));
    return toEntry(tool, node, { ...known, isMany: call.isMany });
  });
  const rest = new Map(places.slice(maxPlaces).map(({ tool, node }) => [tool, node]));
  const joined = [...rest].map(([tool, node]) => toEntry(tool, node, { ...anyArguments, isMany: true }));
  const dynamic = uses.dynamic.slice(0, maxDynamic).map(({ start }) => {
    const line = toLine(start);
    return { file: module?.file, line, excerpt: lines.excerpt(line - removedLines) };
  });
  return {
    calls: [...entries, ...joined],
    hasDynamicCalls: uses.hasDynamicCalls,
    dynamic: dynamic.length === 0 ? undefined : dynamic,
  };
};

const readArguments = ({ value, maybe = [] }: BoundValues): KnownArguments => {
  if (value?.kind !== "object") return anyArguments;
  const constants: [string, Json][] = [];
  const choices: [string, readonly Json[]][] = [];
  const digests: [string, string][] = [];
  const open: string[] = [...maybe];
  for (const [name, field] of value.fields) {
    const options = listValues(field.value);
    const text = options === undefined ? "" : JSON.stringify(options);
    const [only = null, ...others] = options ?? [];
    if (options === undefined || (others.length > 0 && text.length > maxConstantLength)) open.push(name);
    else if (others.length > 0) choices.push([name, options]);
    else if (text.length > maxConstantLength) digests.push([name, hash("sha256", toCanonicalJson(only))]);
    else constants.push([name, only]);
  }
  return {
    constants: Object.fromEntries(constants),
    choices: choices.length === 0 ? undefined : Object.fromEntries(choices),
    digests: digests.length === 0 ? undefined : Object.fromEntries(digests),
    open,
    isOpen: value.isOpen || undefined,
  };
};

/** Everything the value can be; undefined if some of it is only known at run time. */
const listValues = (value: KnownValue): readonly Json[] | undefined => {
  const options = value.kind === "choice" ? value.options : [value];
  const values = options.map((one) => (one.kind === "absent" ? null : toJsonValue(one)));
  // A large integer has been rounded here, and keeps its digits on its way to the server.
  return values.every((one) => one !== undefined && !isRounded(one)) ? (values as Json[]) : undefined;
};

const isRounded = (value: Json): boolean => {
  if (typeof value === "number")
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return typeof value === "object" && value !== null && Object.values(value).some(isRounded);
};

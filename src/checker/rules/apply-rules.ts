// Applies the rules to a program: those of both languages and those of its own. Then builds the result of the check.
import type { Json, Tool } from "../../contracts/index.js";
import type { CheckRequest, CheckResult, EffectManifest, Finding, ManifestCall } from "../check.js";
import { selectFindings } from "../diagnostics.js";
import type { BareProgram } from "../program.js";
import { toPosition } from "../program-error.js";
import { bindCall } from "./bind-values.js";
import { checkBuiltIns } from "./check-built-ins.js";
import { checkAdvice } from "./check-names.js";
import { checkArguments, checkToolNames, findUnlisted, type Mention } from "./check-tools.js";
import type { RuleContext } from "./context.js";
import { type KnownValue, toJsonValue } from "./known-value.js";

type Rule<Context> = (context: Context) => readonly Finding[];

/** The rules of one language. */
export interface LanguageRules<Context extends RuleContext> {
  /** They always apply. */
  readonly names: readonly Rule<Context>[];
  /** The author can turn them off with a comment. */
  readonly values: readonly Rule<Context>[];
  /** A comment turns them off for the whole program. */
  readonly isUnchecked: (text: string) => boolean;
  /** A comment turns them off for one line. */
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
): CheckResult["diagnostics"] =>
  selectFindings(findings).map(({ offset, ...finding }) => {
    const place = toPosition(code, offset);
    return { ...finding, file: module?.file, ...place, line: place.line + removedLines };
  });

const maxConstantLength = 200;

const readConstants = (value: KnownValue | undefined): Readonly<Record<string, Json>> => {
  if (value?.kind !== "object") return {};
  const constants = [...value.fields].flatMap(([name, field]) => {
    const json = toJsonValue(field.value);
    return json !== undefined && JSON.stringify(json).length <= maxConstantLength
      ? [[name, json] as const]
      : [];
  });
  return Object.fromEntries(constants);
};

/** The tools that the program can call, known before it runs: one entry per tool, in source order. */
export const readManifest = ({ tree, uses }: RuleContext): EffectManifest => {
  const found = new Map<string, ManifestCall>();
  const add = ({ server, name, isReadOnly }: Tool, call: Pick<ManifestCall, "count" | "constants">): void => {
    const key = `${server}\n${name}`;
    const before = found.get(key);
    const same = Object.entries(before?.constants ?? {}).filter(
      ([constant, value]) => JSON.stringify(call.constants[constant]) === JSON.stringify(value),
    );
    found.set(
      key,
      before === undefined
        ? { server, tool: name, isReadOnly, ...call }
        : { ...before, count: "many", constants: Object.fromEntries(same) },
    );
  };
  for (const call of uses.calls) {
    const { value } = bindCall(tree, call.tool.inputSchema, call);
    add(call.tool, { count: call.isMany ? "many" : "once", constants: readConstants(value) });
  }
  for (const { tool } of uses.values) add(tool, { count: "many", constants: {} });
  return { calls: [...found.values()], hasDynamicCalls: uses.hasDynamicCalls };
};

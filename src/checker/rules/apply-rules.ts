// Applies the rules to a program: those of both languages and those of its own. Then builds the result of the check.
import { type CheckRequest, type CheckResult, type Finding, selectFindings } from "../check.js";
import { type BareProgram, toPosition } from "../program.js";
import { checkBuiltIns } from "./check-built-ins.js";
import { checkAdvice } from "./check-names.js";
import { checkArguments, checkToolNames, findUnlisted, type Mention } from "./check-tools.js";
import type { RuleContext } from "./context.js";

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
): Pick<CheckResult, "diagnostics" | "omitted"> => {
  const { reported, omitted } = selectFindings(findings);
  const diagnostics = reported.map(({ offset, ...finding }) => {
    const place = toPosition(code, offset);
    return { ...finding, file: module?.file, ...place, line: place.line + removedLines };
  });
  return { diagnostics, omitted: omitted || undefined };
};

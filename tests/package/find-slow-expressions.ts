// Finds regular expressions whose time can grow faster than their input. It may report one that is fine, but misses none
// for the forms it knows: nested repetition, two repetitions that share characters, and a search that starts again within a repetition.
import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import {
  Chars,
  getConsumedChars,
  getFirstConsumedChar,
  isPotentiallyEmpty,
  type ReadonlyFlags,
} from "regexp-ast-analysis";
import { analyse } from "scslre";

/** A repetition of more rounds than this counts as unbounded. */
const maxBound = 1000;

const isEndless = ({ max }: AST.Quantifier): boolean => max > maxBound;

const listEndless = (node: AST.Node): readonly AST.Quantifier[] => {
  const found: AST.Quantifier[] = [];
  visitRegExpAST(node, {
    onQuantifierEnter: (quantifier) => {
      if (isEndless(quantifier)) found.push(quantifier);
    },
  });
  return found;
};

/** What comes before and after a node, at every level around it. */
const readSurroundings = (node: AST.Quantifier) => {
  const before: AST.Element[] = [];
  const behind: AST.Element[] = [];
  let isWithinAssertion = false;
  for (let at: AST.Node = node; at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (parent.type === "Assertion") isWithinAssertion = true;
    if (parent.type !== "Alternative") continue;
    const index = parent.elements.indexOf(at as AST.Element);
    before.unshift(...parent.elements.slice(0, index));
    behind.push(...parent.elements.slice(index + 1));
  }
  return { before, behind, isWithinAssertion };
};

const consumedBy = (node: AST.Element | AST.Alternative, flags: ReadonlyFlags) =>
  getConsumedChars(node, flags).chars;

const firstOf = (node: AST.Element | AST.Alternative, flags: ReadonlyFlags) =>
  getFirstConsumedChar(node, "ltr", flags).char;

/** `(a+)*`: one text can be divided among the two in many ways, unless something else has to stand between two rounds. */
const isNestedLoosely = ({ element }: AST.Quantifier, flags: ReadonlyFlags): boolean => {
  const alternatives = "alternatives" in element ? element.alternatives : [];
  const inner = listEndless(element);
  const isDelimiter = (node: AST.Element): boolean =>
    !isPotentiallyEmpty(node, flags) &&
    inner.every((other) => consumedBy(node, flags).isDisjointWith(consumedBy(other.element, flags)));
  return alternatives.some((one) => listEndless(one).length > 0 && !one.elements.some(isDelimiter));
};

/** `(a|ab?)*`: both alternatives can take the same text. */
const overlapsInRounds = ({ element }: AST.Quantifier, flags: ReadonlyFlags): boolean => {
  const alternatives = "alternatives" in element ? element.alternatives : [];
  return alternatives.some((one, index) =>
    alternatives.slice(index + 1).some((other) => !firstOf(one, flags).isDisjointWith(firstOf(other, flags))),
  );
};

/** `{[^}]*}`: every `{` of a text without `}` is a start, and each start reads the rest. */
const startsAgain = (quantifier: AST.Quantifier, flags: ReadonlyFlags): boolean => {
  const { before, behind, isWithinAssertion } = readSurroundings(quantifier);
  const [start] = before;
  const isAtLine = start?.type === "Assertion" && start.kind === "start";
  if (isAtLine && flags.multiline !== true) return false;
  const taken = consumedBy(quantifier.element, flags);
  if (isAtLine && taken.isDisjointWith(Chars.lineTerminator(flags))) return false;
  const canFail =
    isWithinAssertion || behind.some((node) => node.type === "Assertion" || !isPotentiallyEmpty(node, flags));
  const needed = before.filter((node) => node.type !== "Assertion" && !isPotentiallyEmpty(node, flags));
  return canFail && !needed.some((node) => consumedBy(node, flags).isDisjointWith(taken));
};

/** Why the expression may be slow; empty for one that is linear. */
export const findSlowParts = (source: string, flagText: string): readonly string[] => {
  const parser = new RegExpParser();
  const flags = parser.parseFlags(flagText);
  const pattern = parser.parsePattern(source, 0, source.length, flags);
  const endless = listEndless(pattern);
  const { reports } = analyse({ pattern, flags });
  return [
    ...reports.map(({ type }) => `scslre reports "${type}"`),
    ...endless.filter((node) => isNestedLoosely(node, flags)).map(({ raw }) => `nested repetition in ${raw}`),
    ...endless
      .filter((node) => overlapsInRounds(node, flags))
      .map(({ raw }) => `alternatives that overlap in ${raw}`),
    ...(flags.sticky ? [] : endless)
      .filter((node) => startsAgain(node, flags))
      .map(({ raw }) => `the search can start again within ${raw}`),
  ];
};

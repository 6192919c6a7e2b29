// Chooses how much of a tool's types is written out, so that its signature stays on one line of a given length.

import type { InlineDialect } from "./inline/inline-dialect.js";
import { type InlineOptions, printInlineType } from "./inline/print-inline-type.js";
import type { ToolTypes } from "./type-tree/tool-types.js";
import type { TypeTree } from "./type-tree/type-node.js";

/** How much of a type is written out. */
interface Detail {
  readonly levels: number;
  readonly mostFields: number;
}

/** What a signature is put together from: its arguments' options, its result as text. */
export interface SignatureParts {
  readonly arguments: InlineOptions;
  /** Undefined when nothing is known of it. */
  readonly result: string | undefined;
}

interface FitOptions {
  readonly types: ToolTypes;
  readonly dialect: InlineDialect;
  readonly longest: number;
  readonly isPlain?: boolean;
  readonly isBrief?: boolean;
  readonly render: (parts: SignatureParts) => string;
}

const full: Detail = { levels: 6, mostFields: 100 };
const toShort = (mostFields: number): Detail => ({ levels: 1, mostFields });
const nothing: Detail = { levels: 0, mostFields: 0 };

/** Arguments and result, from everything to nearly nothing; the first that fits is taken. */
const details: readonly (readonly [wanted: Detail, result: Detail])[] = [
  [full, full],
  [full, toShort(100)],
  [full, toShort(8)],
  [{ levels: 2, mostFields: 100 }, toShort(8)],
  [toShort(100), toShort(8)],
  [toShort(100), toShort(4)],
  [toShort(100), nothing],
  ...[16, 12, 8, 6, 4, 2].map((most) => [toShort(most), nothing] as const),
];

/** The first rendering that is not too long; the shortest where none is. */
export const fitSignature = ({ types, dialect, longest, render, ...style }: FitOptions): string => {
  const attempt = ([wanted, result]: readonly [Detail, Detail]) => {
    // A line of that length holds fewer nodes; one that ran out of them is too long by itself.
    const budget = { left: longest };
    const toOptions = ({ definitions }: TypeTree, detail: Detail): InlineOptions => ({
      ...{ dialect, definitions, budget, ...style },
      ...detail,
    });
    const { result: given } = types;
    const text = render({
      arguments: toOptions(types.arguments, wanted),
      result: given && printInlineType(given.root, toOptions(given, result)),
    });
    return { text, fits: budget.left >= 0 && text.length <= longest };
  };
  for (const detail of details) {
    const { text, fits } = attempt(detail);
    if (fits) return text;
  }
  return attempt([nothing, nothing]).text;
};

// The fields of a tool's arguments as keyword parameters.
import { toUnion } from "../type-tree/combine-nodes.js";
import type { ObjectNode, TypeNode } from "../type-tree/type-node.js";
import { toParameterName } from "./python-names.js";

export interface Parameters {
  /** `owner: str`, `labels: Sequence[str] = ...`, `**others: object`; required ones first. */
  readonly texts: readonly string[];
  /** Fields that only a dictionary can name. */
  readonly leftOut: readonly string[];
}

interface Parameter {
  readonly field: string;
  readonly type: TypeNode;
  readonly isRequired: boolean;
}

/** Where the arguments can be one of several objects, what all of them need is needed. */
const listParameters = (objects: readonly ObjectNode[]): readonly Parameter[] => {
  const byName = objects.map(({ fields }) => new Map(fields.map((field) => [field.name, field])));
  const names = new Set(byName.flatMap((fields) => [...fields.keys()]));
  return [...names].map((field) => {
    const found = byName.map((fields) => fields.get(field));
    const present = found.filter((one) => one !== undefined);
    return {
      field,
      type: toUnion(present.map(({ type }) => type)),
      isRequired: found.every((one) => one?.isRequired === true),
    };
  });
};

/** Undefined when a field that is needed has a name that no parameter can have. */
export const renderParameters = (
  objects: readonly ObjectNode[],
  toType: (field: string, type: TypeNode) => string,
): Parameters | undefined => {
  const all = listParameters(objects);
  if (all.some(({ field, isRequired }) => isRequired && toParameterName(field) === undefined))
    return undefined;
  const named = all.filter(({ field }) => toParameterName(field) !== undefined);
  const texts = [
    ...named.filter(({ isRequired }) => isRequired),
    ...named.filter((one) => !one.isRequired),
  ].map(
    ({ field, type, isRequired }) =>
      `${toParameterName(field)}: ${toType(field, type)}${isRequired ? "" : " = ..."}`,
  );
  const isOpen = objects.some(({ rest }) => rest !== undefined);
  const taken = new Set(named.map(({ field }) => field));
  let others = "others";
  while (taken.has(others)) others += "_";
  return {
    texts: [...(texts.length > 0 ? ["*"] : []), ...texts, ...(isOpen ? [`**${others}: object`] : [])],
    leftOut: all.map(({ field }) => field).filter((field) => toParameterName(field) === undefined),
  };
};

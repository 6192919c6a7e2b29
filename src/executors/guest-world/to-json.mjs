// JSON of any value: what JSON has no word for becomes its nearest neighbour.

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { stringify } = JSON;
const { fromEntries } = Object;
const StringOf = String;
const ErrorClass = Error;
const MapClass = Map;
const SetClass = Set;

/** @type {(value: unknown) => string | undefined} */
export const toJson = (value) =>
  stringify(value, (_key, item) => {
    if (typeof item === "bigint") return StringOf(item);
    if (item instanceof MapClass) return fromEntries(item);
    if (item instanceof SetClass) return [...item];
    if (item instanceof ErrorClass) return { name: item.name, message: item.message };
    return item;
  });

/** How handles are written: by a name that only one call knows, or as what they say of themselves. */
export const marking = { hasHandles: false, mark: "", isUsed: false };

/**
 * The values of a call, with its handles marked: what a server said earlier and is passed on cannot look like one.
 * @param {readonly unknown[]} values
 * @param {{ isKept: boolean; makeMark: () => string }} options
 */
export const toArguments = (values, { isKept, makeMark }) => {
  if (!marking.hasHandles && !isKept) return toJson(values) ?? "[]";
  const mark = makeMark();
  marking.mark = mark;
  marking.isUsed = false;
  try {
    const text = toJson(values) ?? "[]";
    if (!marking.isUsed && !isKept) return text;
    return `{"values":${text},"mark":${stringify(mark)},"isKept":${isKept}}`;
  } finally {
    marking.mark = "";
  }
};

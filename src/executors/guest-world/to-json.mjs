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

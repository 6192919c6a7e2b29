// The start of a program that undoes a run: checks that what a call has changed is still as it left it.
const isSame = (one, other) =>
  one === other ||
  (typeof one === "object" &&
    typeof other === "object" &&
    one !== null &&
    other !== null &&
    Array.isArray(one) === Array.isArray(other) &&
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key])));

const read = (value, path) =>
  path.reduce(
    (at, key) => (typeof at === "object" && at !== null && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );

export const check = (name, found, expected) => {
  for (const { path, value } of expected)
    if (!isSame(read(found, path), value))
      throw new Error(`Stopped before ${name} was undone: "${path.join(".")}" has changed since`);
};

// Values, arguments and accesses as Python writes them.

export const keywords = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
/** Attributes of every dictionary: reading one is not a detectable mistake. */
export const methods = new Set(["clear", "copy", "get", "items", "keys", "pop", "update", "values"]);
export const isName = (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.startsWith("__");

/** JSON as Python writes it. */
export const toPython = (value) => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, held]) => `${JSON.stringify(name)}: ${toPython(held)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
};

const canBeNamed = (value) =>
  Object.keys(value).every(
    (name) => isName(name) && !(name.endsWith("_") && keywords.has(name.slice(0, -1))),
  );

/** Keyword arguments if every name is valid as one, else one dictionary. */
export const toArguments = (value, isNamed, toText = toPython) =>
  isNamed && canBeNamed(value)
    ? Object.entries(value)
        .map(([name, held]) => `${keywords.has(name) ? `${name}_` : name}=${toText(held)}`)
        .join(", ")
    : `{${Object.entries(value)
        .map(([name, held]) => `${JSON.stringify(name)}: ${toText(held)}`)
        .join(", ")}}`;

export const toAccess = (root, path) =>
  path.reduce((text, key) => `${text}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`, root);

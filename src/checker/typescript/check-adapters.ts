// Checks that names imported from an adapter are exported by it.
import type { Finding } from "../check.js";
import { quote, quoteList, show } from "../diagnostics.js";
import type { Context } from "./dialect.js";
import { readExports } from "./read-exports.js";

interface WantedName {
  readonly name: string;
  readonly start: number;
}

/** The names that an adapter exports; `isOpen` if it re-exports unknown names. */
const listNames = (
  context: Context,
  path: string,
  seen: Set<string>,
): { readonly names: ReadonlySet<string>; readonly isOpen: boolean } => {
  const adapter = context.adapters.get(path);
  if (adapter === undefined || seen.has(path)) return { names: new Set(), isOpen: false };
  seen.add(path);
  const own = readExports(adapter.syntax);
  const names = new Set(own.names);
  let isOpen = false;
  for (const specifier of own.passedOn) {
    const next = adapter.known.findAdapter(specifier);
    const passed = next === undefined ? { names: [], isOpen: true } : listNames(context, next, seen);
    for (const name of passed.names) if (name !== "default") names.add(name);
    isOpen ||= passed.isOpen;
  }
  return { names, isOpen };
};

export const checkAdapterNames = (
  context: Context,
  path: string,
  specifier: string,
  wanted: readonly WantedName[],
): readonly Finding[] => {
  const { names, isOpen } = listNames(context, path, new Set());
  if (isOpen) return [];
  return wanted
    .filter(({ name }) => !names.has(name))
    .map(({ name, start }) => {
      const near = context.request.nearestNames(name, names);
      const some = [...names].slice(0, 20).map((one) => show(one, 40));
      return {
        severity: "error",
        code: "IMPORT_UNKNOWN",
        offset: start,
        message: `Cannot import ${quote(name)} from ${quote(specifier)}: the ${path.startsWith("skills/") ? "skill" : "adapter"} does not export it${
          near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""
        }`,
        hint: `It exports: ${some.join(", ") || "nothing"}`,
      };
    });
};

// The servers under every name a program may use, with the declarations of those it uses.
import type { CheckedServer, CheckRequest } from "../check.js";
import { toModulePath } from "../program.js";

export interface KnownServer {
  readonly name: string;
  readonly identifier: string;
  /** Undefined if its tools are unknown. Then its uses are not checked. */
  readonly server: CheckedServer | undefined;
}

export interface KnownServers {
  /** By configured name, by identifier, or by configured name regardless of case and separators. */
  readonly find: (name: string) => KnownServer | undefined;
  /** Splits `server__tool`, `server.tool` or `server/tool`. */
  readonly split: (qualified: string) => { readonly server: string; readonly tool: string };
  readonly isGlobal: (identifier: string) => boolean;
  /** The path of the library file that a specifier refers to. */
  readonly toPath: (specifier: string) => string;
  /** The path of the adapter that a specifier refers to; undefined if it is not an adapter. */
  readonly findAdapter: (specifier: string) => string | undefined;
  readonly all: readonly KnownServer[];
}

/** Lower-case letters and digits only: Python spells `odd-name` as `odd_name`. */
const toLoose = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const findLoosely = (all: readonly KnownServer[], name: string): KnownServer | undefined => {
  const [found, ...others] = all.filter((known) => toLoose(known.name) === toLoose(name));
  return others.length > 0 ? undefined : found;
};

export const toKnownServers = ({
  servers,
  identifiers,
  adapters = [],
  module,
  aliases,
  declared = [],
}: Pick<
  CheckRequest,
  "servers" | "identifiers" | "adapters" | "module" | "aliases" | "declared"
>): KnownServers => {
  const reached = new Map(servers.map((server) => [server.catalog.server, server]));
  const all = [...identifiers].map(([name, identifier]) => ({ name, identifier, server: reached.get(name) }));
  const globals = new Set([...identifiers.values(), ...(aliases?.keys() ?? [])]);
  for (const name of declared) globals.delete(name);
  const prefixes = all
    .flatMap(({ name, identifier }) => [name, identifier])
    .sort((one, other) => other.length - one.length);
  const adapterPaths = new Set(adapters.map(({ path }) => path));
  const otherNames = new Map(adapters.flatMap(({ path, names = [] }) => names.map((name) => [name, path])));
  const toPath = (specifier: string): string => toModulePath(specifier, module?.folder);
  const find = (name: string): KnownServer | undefined =>
    all.find((known) => known.name === name) ??
    all.find((known) => known.identifier === name) ??
    all.find((known) => known.name === aliases?.get(name)) ??
    findLoosely(all, name);
  return {
    all,
    isGlobal: (identifier) => globals.has(identifier),
    find,
    toPath,
    findAdapter: (specifier) => {
      const named = otherNames.get(toPath(specifier));
      if (named !== undefined) return named;
      const [folder, server = "", name, ...rest] = toPath(specifier).split("/");
      const path = `servers/${find(server)?.identifier}/${name}`;
      return folder === "servers" && rest.length === 0 && adapterPaths.has(path) ? path : undefined;
    },
    split: (qualified) => {
      for (const prefix of prefixes) {
        for (const separator of ["__", ".", "/"]) {
          if (qualified.startsWith(prefix + separator))
            return { server: prefix, tool: qualified.slice(prefix.length + separator.length) };
        }
      }
      const [server = qualified, ...rest] = qualified.split(/__|[./]/);
      return { server, tool: rest.join("__") };
    },
  };
};

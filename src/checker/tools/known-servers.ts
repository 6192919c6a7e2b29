// The servers as a program may name them, with the declarations of those it reaches.
import type { CheckedServer, CheckRequest } from "../check.js";

export interface KnownServer {
  readonly name: string;
  readonly identifier: string;
  /** Undefined when its tools are not known: then nothing of it is checked. */
  readonly server: CheckedServer | undefined;
}

export interface KnownServers {
  /** By configured name, by identifier, or by configured name in other letters. */
  readonly find: (name: string) => KnownServer | undefined;
  /** Splits `server__tool`, `server.tool` or `server/tool`. */
  readonly split: (qualified: string) => { readonly server: string; readonly tool: string };
  readonly isGlobal: (identifier: string) => boolean;
  readonly all: readonly KnownServer[];
}

export const toKnownServers = ({
  servers,
  identifiers,
}: Pick<CheckRequest, "servers" | "identifiers">): KnownServers => {
  const reached = new Map(servers.map((server) => [server.catalog.server, server]));
  const all = [...identifiers].map(([name, identifier]) => ({ name, identifier, server: reached.get(name) }));
  const globals = new Set(identifiers.values());
  const prefixes = all
    .flatMap(({ name, identifier }) => [name, identifier])
    .sort((one, other) => other.length - one.length);
  return {
    all,
    isGlobal: (identifier) => globals.has(identifier),
    find: (name) =>
      all.find((known) => known.name === name) ??
      all.find((known) => known.identifier === name) ??
      all.find((known) => known.name.toLowerCase() === name.toLowerCase()),
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

// Chooses what a program gets: the modules it imports, and the servers it names as globals. Nothing else is handed over.

import { nearestNames } from "../catalog/index.js";
import { type PreparedProgram, type ProgramImport, programError } from "../checker/index.js";
import { writeLibraryModule, writeToolModule } from "../codegen/index.js";
import type { LibraryFile, ServerCatalog } from "../contracts/index.js";
import { findServer, quoteList, type Rooms, readCatalog } from "./rooms.js";

export interface SelectedLibrary {
  readonly files: readonly LibraryFile[];
  readonly globals: Readonly<Record<string, string>>;
}

/** Resolves a program's imports. Throws PROGRAM_INVALID for one that leads nowhere, before anything is run. */
export const selectLibrary = async (rooms: Rooms, program: PreparedProgram): Promise<SelectedLibrary> => {
  const wanted = new Map<
    string,
    { catalog: ServerCatalog; tool?: string; names: Set<string>; isAll: boolean }
  >();
  for (const statement of program.imports) {
    const [server, tool] = splitPath(statement);
    const catalog = await readCatalog(rooms, findServerOf(rooms, statement, server).name);
    if (tool !== undefined) checkName(catalog, tool, statement);
    const names = statement.names === "all" ? [] : statement.names.filter((name) => name !== "default");
    for (const name of names) checkName(catalog, name, statement);
    const entry = wanted.get(statement.path) ?? {
      catalog,
      ...(tool === undefined ? {} : { tool }),
      names: new Set<string>(),
      isAll: false,
    };
    for (const name of names) entry.names.add(name);
    wanted.set(statement.path, { ...entry, isAll: entry.isAll || statement.names === "all" });
  }
  const files = [...wanted].map(([path, { catalog, tool, names, isAll }]) => {
    const found = tool === undefined ? undefined : catalog.find(tool);
    const file =
      found === undefined
        ? writeLibraryModule({ catalog, names: isAll ? "all" : [...names] })
        : writeToolModule({ catalog, tool: found });
    return { ...file, path };
  });
  return { files, globals: selectGlobals(rooms, program) };
};

const selectGlobals = (rooms: Rooms, program: PreparedProgram): Record<string, string> => {
  const globals: Record<string, string> = {};
  for (const [server, identifier] of rooms.identifiers) {
    if (program.words.has(identifier)) globals[identifier] = server;
  }
  return globals;
};

const splitPath = (statement: ProgramImport): [server: string, tool: string | undefined] => {
  const [folder, server, tool, ...rest] = statement.path.split("/");
  if (folder === "servers" && server !== undefined && rest.length === 0) return [server, tool];
  throw programError(
    `Cannot import "${statement.specifier}": only the connected servers can be imported`,
    statement.position(),
    'Import tools like this: import { toolName } from "servers/<server>". There is no fetch, file system or process in a program.',
  );
};

const findServerOf = (rooms: Rooms, statement: ProgramImport, server: string): { readonly name: string } => {
  try {
    return findServer(rooms, server);
  } catch {
    const identifiers = [...rooms.identifiers.values()];
    const near = nearestNames(server, identifiers);
    throw programError(
      `Cannot import "${statement.specifier}": no server "${server}" is connected`,
      statement.position(),
      near.length > 0
        ? `Did you mean ${quoteList(near.map((name) => `servers/${name}`))}?`
        : `Connected are: ${identifiers.slice(0, 20).join(", ") || "none"}.`,
    );
  }
};

const checkName = (catalog: ServerCatalog, name: string, statement: ProgramImport): void => {
  if (catalog.find(name) !== undefined) return;
  const near = nearestNames(
    name,
    catalog.tools.map((tool) => tool.functionName),
  );
  throw programError(
    `Cannot import "${name}" from "${statement.specifier}": the server has no such tool`,
    statement.position(),
    near.length > 0
      ? `Did you mean ${quoteList(near)}?`
      : `It has: ${
          catalog.tools
            .slice(0, 20)
            .map((tool) => tool.functionName)
            .join(", ") || "no tools"
        }.`,
  );
};

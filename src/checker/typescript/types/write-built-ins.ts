// The workspace modules and globals as the compiler sees them. Their types are in world.d.mts.
import { keptNames, peopleNames, workspaceModules, workspaceNames } from "../../../contracts/index.js";

const moduleTypes: ReadonlyMap<string, string> = new Map([
  ["workspace", "WorkspaceGlobals"],
  ...["fs/promises", "node:fs/promises"].map((path) => [path, "FilePromises"] as const),
]);
const filesType = '{ readonly promises: FilePromises; readonly constants: FilePromises["constants"] }';

/** A workspace module; undefined for any other path. */
export const writeBuiltInModule = (path: string): string | undefined => {
  const names = workspaceModules.get(path);
  if (names === undefined) return undefined;
  return [
    `type Module = ${moduleTypes.get(path) ?? filesType};`,
    ...names.map((name) => `export declare const ${name}: Module[${JSON.stringify(name)}];`),
    `declare const all: ${path === "workspace" ? 'Module["workspace"]' : "Module"};`,
    "export default all;",
  ].join("\n");
};

/** The globals, except those shadowed by a server's name. */
export const writeBuiltInGlobals = (isServer: (name: string) => boolean): readonly string[] => [
  ...writeConstants(workspaceNames.typescript, "WorkspaceGlobals", isServer),
  ...writeConstants(keptNames.typescript, "KeptFunctions", isServer),
  ...writeConstants(peopleNames.typescript, "PeopleFunctions", isServer),
];

const writeConstants = (
  names: readonly string[],
  type: string,
  isServer: (name: string) => boolean,
): readonly string[] =>
  names.filter((name) => !isServer(name)).map((name) => `  const ${name}: ${type}[${JSON.stringify(name)}];`);

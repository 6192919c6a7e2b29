// Turns a request of the host into the input of the rules: opens catalogs, generates declarations and signatures.
import { hash } from "node:crypto";
import { toFinder } from "../../catalog/index.js";
import type { CheckedServer, CheckRequest } from "../../checker/index.js";
import {
  assignFunctionNames,
  renderCallModule,
  renderPythonModule,
  renderPythonSignature,
  renderServerDeclarations,
  renderSignature,
  toPythonAliases,
} from "../../codegen/index.js";
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import type { PackedCatalog, ProgramCheck, ReachedServer } from "./checker-handlers.js";

/** Maximum characters of a signature in a message. */
const maxSignature = 200;

export interface KnownCatalog {
  readonly catalog: ServerCatalog;
  readonly functionNames: () => ReadonlyMap<Tool, string>;
}

export const openCatalog = (packed: PackedCatalog): KnownCatalog => {
  const catalog = { ...packed, find: toFinder(packed.tools) };
  let names: ReadonlyMap<Tool, string> | undefined;
  return {
    catalog,
    functionNames: () => {
      names ??= assignFunctionNames(catalog);
      return names;
    },
  };
};

/** Declares only the tools that the text names, so that the size of a server does not matter. */
const toTypescriptServer = ({ catalog }: KnownCatalog, { named, learned }: ReachedServer): CheckedServer => {
  const wanted = new Set(named);
  const schemas = new Map(learned);
  const tools = catalog.tools
    .filter(({ name }) => wanted.has(name))
    .map((tool): Tool => {
      const schema = schemas.get(tool.name);
      return schema === undefined ? tool : { ...tool, learned: { schema, answers: 1 } };
    });
  const { source } = renderServerDeclarations({ catalog: { ...catalog, tools } });
  return {
    catalog,
    source,
    fingerprint: hash("sha256", source, "base64"),
    observedTools: new Set(schemas.keys()),
  };
};

/** Python is checked against the tools themselves. */
const toPythonServer = ({ catalog, functionNames }: KnownCatalog, reached: ReachedServer): CheckedServer => ({
  catalog,
  source: "",
  fingerprint: reached.catalog,
  learned: new Map(reached.learned),
  functionNames: functionNames(),
});

export const toCheckRequest = (
  { identifiers, adapterNames, adapters = [], pythonTypes, ...check }: ProgramCheck,
  known: readonly KnownCatalog[],
): CheckRequest => {
  const isPython = check.language === "python";
  const toServer = isPython ? toPythonServer : toTypescriptServer;
  const names = new Map(identifiers);
  return {
    ...check,
    servers: check.servers.flatMap((reached, at) => {
      const found = known[at];
      return found === undefined ? [] : [toServer(found, reached)];
    }),
    identifiers: names,
    adapters,
    adapterNames: new Map(adapterNames),
    aliases: isPython ? toPythonAliases(names) : undefined,
    pythonTypes:
      pythonTypes === undefined
        ? undefined
        : { ...pythonTypes, renderModule: renderPythonModule, renderCallModule },
    nearestNames,
    renderSignature: isPython
      ? ({ tool, identifier, functionName = tool.functionName }) =>
          renderPythonSignature({ tool, name: `${identifier}.${functionName}`, maxLength: maxSignature })
      : renderSignature,
  };
};

// Checks a program against the tools it can reach, before anything runs.
import { createHash } from "node:crypto";
import { nearestNames } from "../catalog/index.js";
import {
  type CheckedServer,
  type CheckResult,
  checkProgram,
  type PreparedProgram,
} from "../checker/index.js";
import { renderServerDeclarations, renderSignature } from "../codegen/index.js";
import type { ServerCatalog, Tool } from "../contracts/index.js";
import type { CheckCodeRequest, CheckCodeResult } from "./coordinator.js";
import { prepareCached } from "./prepare-cached.js";
import { type Rooms, readCatalog } from "./rooms.js";
import { toRunRights } from "./to-run-rights.js";

/** The verb: what is wrong with a program, and what it could do. Throws PROGRAM_INVALID when it cannot even be parsed. */
export const checkCode = async (rooms: Rooms, request: CheckCodeRequest): Promise<CheckCodeResult> => {
  const language = request.language ?? "typescript";
  const program = await prepareCached(request.code, { language, isSession: request.session !== undefined });
  if (language === "python")
    return { isValid: true, diagnostics: [], manifest: { calls: [], hasDynamicCalls: true } };
  const { diagnostics, manifest } = await checkPrepared(rooms, request, program);
  return { isValid: diagnostics.every(({ severity }) => severity !== "error"), diagnostics, manifest };
};

/** The check of a TypeScript program that was prepared already. */
export const checkPrepared = async (
  rooms: Rooms,
  request: CheckCodeRequest,
  program: PreparedProgram,
): Promise<CheckResult> => {
  const rights = toRunRights(rooms, request);
  const catalogs = await readReached(rooms, request.code, program);
  return checkProgram({
    text: request.code,
    program,
    isSession: request.session !== undefined,
    servers: await Promise.all(catalogs.map((catalog) => toChecked(rooms, catalog, request.code, program))),
    identifiers: rooms.identifiers,
    modules: rights.packages,
    globals: rights.allowedHosts.length > 0 ? ["fetch"] : [],
    nearestNames,
    renderSignature,
  });
};

/** The catalogs of the servers that a program names. One that is only named like a variable is not started for that. */
const readReached = async (
  rooms: Rooms,
  text: string,
  program: PreparedProgram,
): Promise<readonly ServerCatalog[]> => {
  const imported = new Set(program.imports.map(({ path }) => path.split("/")[1] ?? ""));
  const reached = await Promise.all(
    [...rooms.identifiers].map(async ([server, identifier]): Promise<ServerCatalog | undefined> => {
      const isImported = imported.has(identifier) || imported.has(server);
      if (!isImported && !program.words.has(identifier) && !text.includes(server)) return undefined;
      // Identifiers are letters, digits, "_" and "$".
      const pattern = new RegExp(`(?<![.\\w$])${identifier.replaceAll("$", "\\$")}\\s*(?:\\?\\.|\\.|\\[)`);
      const isUsed = isImported || pattern.test(text);
      try {
        if (!rooms.catalogs.has(server) && !isUsed && (await rooms.upstreams.peek(server)) === undefined)
          return undefined;
        return await readCatalog(rooms, server);
      } catch {
        // A server that cannot be listed is not checked: the program meets the reason when it calls.
        return undefined;
      }
    }),
  );
  return reached.filter((catalog) => catalog !== undefined);
};

/** Only the tools that the program's text names are declared: a server's size costs nothing. */
const toChecked = async (
  rooms: Rooms,
  catalog: ServerCatalog,
  text: string,
  program: PreparedProgram,
): Promise<CheckedServer> => {
  const named = catalog.tools.filter(
    (tool) => program.words.has(tool.functionName) || text.includes(tool.name),
  );
  const tools: readonly Tool[] = await Promise.all(named.map(rooms.shapes.show));
  const { source } = renderServerDeclarations({ catalog: { ...catalog, tools } });
  const observed = tools.filter(
    ({ outputSchema, learned }) => outputSchema === undefined && learned !== undefined,
  );
  return {
    catalog,
    source,
    fingerprint: createHash("sha256").update(source).digest("base64"),
    ...(observed.length > 0 ? { observedTools: new Set(observed.map(({ name }) => name)) } : {}),
  };
};

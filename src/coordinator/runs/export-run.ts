// Exports a run with the tools that it calls as one text, and replays it without any server.
import { toServerCatalog } from "../../catalog/index.js";
import type { PreparedProgram } from "../../checker/index.js";
import {
  CoordinatorError,
  type JournalCall,
  type Json,
  type ListedTool,
  type RunRequest,
  type RunResult,
  type ServerCatalog,
  type ServerDefinition,
  type StoredKind,
  type StoredValues,
  workspaceModules,
} from "../../contracts/index.js";
import { toListedTool } from "../../upstream/index.js";
import { prepareProgram } from "../checks/checker.js";
import { type Host, readCatalog } from "../host/host.js";
import { openValues } from "../workspaces/workspaces.js";
import { openCassetteJournal } from "./cassette-journal.js";
import { type RunReference, readRun } from "./list-runs.js";
import { runCode } from "./run-code.js";
import { fromJournaledRights } from "./run-rights.js";

/** An exported run to repeat against its recorded answers. */
export interface ReplayRequest extends Pick<RunRequest, "limits" | "signal" | "onLog" | "onCall"> {
  /** The text that `exportRun` returned. */
  readonly cassette: string;
}

/** How the repeated run ended, compared with the recorded one. */
export interface ReplayResult {
  readonly result: RunResult;
  /** The run ended, printed and returned the same as when it was recorded. */
  readonly isSame: boolean;
}

/** A server in a recording. */
interface RecordedServer {
  readonly name: string;
  readonly identifier: string;
  readonly tools: readonly ListedTool[];
}

/** Throws CASSETTE_INCOMPLETE for a run that cannot be replayed elsewhere. */
export const exportRun = async (host: Host, request: RunReference): Promise<string> => {
  const { recorded, readProgram } = await readRun(host, request);
  const { language } = recorded.started;
  const program = await prepareProgram(host.requester, await readProgram(), { language, isSession: false });
  for (const { path, specifier } of program.imports) {
    const kind = isSkill(path)
      ? "skill"
      : language === "typescript" && isPackage(path)
        ? "package"
        : undefined;
    if (kind !== undefined)
      throw incomplete(`it imports the ${kind} "${specifier}", which a recording cannot contain`);
  }
  const servers = await recordServers(host, program, recorded.calls);
  const { runs, storedValues } = await host.openWorkspace(request.workspace);
  const write = (values?: readonly RecordedValue[]): Promise<string> =>
    runs.exportCassette(request.runId, { enclosed: { servers, values } as unknown as Json });
  // Include every stored value that the recording refers to.
  const values = await recordValues(await write(), storedValues);
  return write(values.length === 0 ? undefined : values);
};

/** `skills/name`, in Python `skills.name`. */
const isSkill = (path: string): boolean => /^skills[./]/.test(path);

const isPackage = (path: string): boolean =>
  path !== "servers" && !path.startsWith("servers/") && !workspaceModules.has(path);

/** The servers that a program names or has called, as far as their tools are known. */
const recordServers = async (
  host: Host,
  program: PreparedProgram,
  calls: readonly JournalCall[],
): Promise<readonly RecordedServer[]> => {
  const called = new Set(calls.map(({ intent }) => `${intent.server} ${intent.tool}`));
  const words = new Set([...program.words, ...program.imports.flatMap(({ path }) => path.split(/[/.]/))]);
  const isUsed = ({ name }: ServerDefinition): boolean =>
    words.has(name) ||
    words.has(host.identifiers.get(name) ?? name) ||
    [...called].some((call) => call.startsWith(`${name} `));
  const servers = await Promise.all(
    host.configuration.servers.filter(isUsed).map(({ name }) =>
      readCatalog(host, name).then(
        (catalog) => record(catalog, called),
        () => undefined,
      ),
    ),
  );
  return servers.filter((server) => server !== undefined);
};

/** All names, because a program may import any. Schemas only of called tools, because arguments are bound by them. */
const record = (
  { server, identifier, tools }: ServerCatalog,
  called: ReadonlySet<string>,
): RecordedServer => ({
  name: server,
  identifier,
  tools: tools.map(({ name, inputSchema, isReadOnly }) => ({
    name,
    inputSchema: called.has(`${server} ${name}`) ? inputSchema : { type: "object" },
    annotations: isReadOnly ? { readOnlyHint: true } : undefined,
  })),
});

export const replayRun = async (
  host: Host,
  { cassette: text, ...request }: ReplayRequest,
): Promise<ReplayResult> => {
  const { runs } = await host.openWorkspace();
  const cassette = await runs.openCassette(text);
  const recorded = toRecordedHost(host, cassette.enclosed);
  const { servers, ...rights } = fromJournaledRights(cassette.rights, "replay");
  const run = {
    ...rights,
    // Unused servers are not in the recording.
    servers: servers?.filter((name) => isRecorded(recorded, name)),
    ...request,
    code: cassette.code,
    language: cassette.language,
    isChecked: false,
  };
  const runId = `replay-${Date.now().toString(36)}`;
  await restoreValues(
    (cassette.enclosed as { readonly values?: Json | undefined } | undefined)?.values,
    openValues(host),
  );
  const result = await runCode(recorded, run, {
    openJournal: () => openCassetteJournal(runId, cassette),
    isTest: true,
  });
  return { result, isSame: isSame(result, cassette.result as Partial<RunResult> | undefined) };
};

const isRecorded = ({ identifiers }: Host, name: string): boolean =>
  identifiers.has(name) || [...identifiers.values()].includes(name);

/** A recording is untrusted input: take only complete servers, and rebuild their tools like listed ones. */
const readRecordedServers = (enclosed: Json | undefined): readonly RecordedServer[] => {
  const { servers } = (enclosed ?? {}) as { readonly servers?: Json | undefined };
  return (Array.isArray(servers) ? servers : []).flatMap((given) => {
    const { name, identifier, tools } = (given ?? {}) as Partial<RecordedServer>;
    if (typeof name !== "string" || typeof identifier !== "string" || !Array.isArray(tools)) return [];
    return [{ name, identifier, tools: tools.flatMap((tool) => toListedTool(tool) ?? []) }];
  });
};

/** The host with the servers of a recording: their tools are known, but nothing connects to them. */
const toRecordedHost = (host: Host, enclosed: Json | undefined): Host => {
  const servers = readRecordedServers(enclosed);
  const definitions = servers.map(
    ({ name }): ServerDefinition => ({
      name,
      target: { kind: "stdio", command: "", args: [], env: {} },
      written: "recorded",
      isEnabled: true,
      source: "a recording",
    }),
  );
  const { settings } = host.configuration;
  return {
    ...host,
    configuration: {
      ...host.configuration,
      servers: definitions,
      // Fetched pages are in the recording too. Allowing a host that does not exist makes `fetch` available.
      settings: { ...settings, network: { allow: ["recorded.invalid"] } },
    },
    identifiers: new Map(servers.map(({ name, identifier }) => [name, identifier])),
    catalogs: new Map(
      servers.map(({ name, identifier, tools }) => [
        name,
        toServerCatalog(
          { server: name, tools, resources: [], resourceTemplates: [], prompts: [] },
          identifier,
        ),
      ]),
    ),
    upstreams: { ...host.upstreams, connect: () => {}, renew: async () => {} },
  };
};

const isSame = (result: RunResult, recorded: Partial<RunResult> | undefined): boolean => {
  const facts = ({ status, value, logs, error }: Partial<RunResult>) =>
    JSON.stringify([status, value ?? null, logs ?? [], error?.code ?? null, error?.message ?? null]);
  return recorded !== undefined && facts(result) === facts(recorded);
};

interface RecordedValue {
  readonly kind: StoredKind;
  readonly base64: string;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Limit of all values together. */
const maxBytes = 16 * 1024 * 1024;

const idPattern = /\bk_[0-9a-f]{20}\b/g;

/** Values whose id is in the text: handles, their metadata, and ids that a program writes itself. */
const recordValues = async (text: string, stored: StoredValues): Promise<readonly RecordedValue[]> => {
  const values: RecordedValue[] = [];
  let left = maxBytes;
  for (const id of new Set(text.match(idPattern))) {
    const { kind, bytes, name, mimeType } = await stored.find(id).catch(() => {
      throw incomplete(`it uses the stored value "${id}", which is gone`);
    });
    left -= bytes;
    if (left < 0) throw incomplete(`the values that it stored are larger than ${maxBytes} bytes together`);
    values.push({ kind, base64: Buffer.from(await stored.read(id)).toString("base64"), name, mimeType });
  }
  return values;
};

/** The same content has the same id. */
const restoreValues = async (values: Json | undefined, open: () => Promise<StoredValues>): Promise<void> => {
  if (!Array.isArray(values) || values.length === 0) return;
  const stored = await open();
  for (const { kind, base64, name, mimeType } of values as unknown as readonly RecordedValue[]) {
    const bytes = Buffer.from(String(base64), "base64");
    const content = kind === "bytes" ? bytes : bytes.toString("utf8");
    const format = kind === "bytes" || kind === "text" ? kind : "json";
    await stored.store({ format, content, name, mimeType });
  }
};

const incomplete = (why: string): CoordinatorError =>
  new CoordinatorError("CASSETTE_INCOMPLETE", `Cannot export the run: ${why}`);

// Takes over the servers of a person's clients: finds them, moves them to our configuration and leaves one entry.
import { relative } from "node:path";
import {
  type ClientFile,
  type ClientFolders,
  type ClientScope,
  type ClientServer,
  findClientFiles,
  hideSecrets,
  listSecrets,
  renderChange,
} from "../../config/clients/index.js";
import {
  createEnvironmentFileReader,
  describeEntry,
  personalFile,
  projectFileName,
} from "../../config/index.js";
import type { CoordinatorError, LaunchFact, UntrustedItem } from "../../contracts/index.js";
import { readForeignFile } from "../../store/index.js";
import { describeInstallation, isShareable } from "../presenting/command-line.js";
import { writeStarter } from "./edit-entries.js";
import {
  type FileDifference,
  isApprovalDecided,
  isOwn,
  type OnboardingPlaces,
  toFolders,
  withApproval,
} from "./onboarding-places.js";
import {
  type PlannedFile,
  type PlannedMove,
  planFiles,
  planOwnFiles,
  planTakeover,
  writePlan,
} from "./plan-takeover.js";
import { trust } from "./trust.js";

/** A server of a client. */
export interface FoundServer {
  readonly client: string;
  readonly title: string;
  readonly scope: ClientScope;
  /** The client's file. */
  readonly path: string;
  /** The folder that a `local` scope is for. */
  readonly project?: string | undefined;
  readonly server: string;
  /** The command line or address, without secrets. */
  readonly target: string;
  readonly isEnabled: boolean;
  /** Everything that decides what is run, for a server that came with the folder. */
  readonly facts?: readonly LaunchFact[] | undefined;
  /** What changes when it is moved. */
  readonly notes: readonly string[];
  /** Why it stays with the client. */
  readonly obstacle?: string | undefined;
}

/** A client's server with its new place in our configuration. */
export interface MovedClientServer extends FoundServer {
  /** The configuration that it is moved to, and its name there. */
  readonly ownFile: string;
  readonly ownName: string;
}

/** Which servers of which clients move to the coordinator's configuration. */
export interface InitRequest extends OnboardingPlaces {
  /** Only these clients. @default all that are found */
  readonly clients?: readonly string[] | undefined;
  /** Names of servers that stay where they are. */
  readonly except?: readonly string[] | undefined;
  /** Chooses among the servers that can be moved. */
  readonly choose?: ((servers: readonly FoundServer[]) => readonly FoundServer[]) | undefined;
  /**
   * Whether calls that write need the person's approval, because the client's own prompts no longer apply. It becomes the setting `approve`
   * of the person's configuration, unless that has one. @default the setting stays as it is
   */
  readonly asksBeforeWrites?: boolean | undefined;
  /** Only report what would be done. */
  readonly isDryRun?: boolean | undefined;
}

/** What `init` moved and changed, or would in a dry run, and what the person does next. */
export interface InitResult {
  readonly found: readonly FoundServer[];
  readonly moved: readonly MovedClientServer[];
  readonly changes: readonly FileDifference[];
  /** The starter configuration, if no client has a server. */
  readonly starter?: string | undefined;
  /** The entry to paste into a client. */
  readonly snippet?: string | undefined;
  /** The person's own configuration. */
  readonly ownFile: string;
  /** Whether that says which calls need approval. Otherwise the request decides. */
  readonly isApprovalDecided: boolean;
  /** The decision that was written there; absent if it says nothing new. */
  readonly asksBeforeWrites?: boolean | undefined;
  /** Messages for the person. */
  readonly notes: readonly string[];
  /** What the person has to do for others, or for this machine. */
  readonly warnings: readonly string[];
  /** How to make each changed client reload its file. */
  readonly nextSteps: readonly string[];
  /** Files that could not be read or changed. */
  readonly problems: readonly CoordinatorError[];
  readonly isWritten: boolean;
}

interface Candidate {
  readonly file: ClientFile;
  readonly server: ClientServer;
  readonly shown: FoundServer;
}

/** Servers that came with a folder become trusted when moved, so they are shown in full first. */
const toFacts = (file: ClientFile, entry: unknown, folders: ClientFolders): FoundServer["facts"] =>
  file.scope === "project"
    ? describeEntry(entry, {
        ...folders,
        folder: folders.workingFolder,
        readEnvironmentFile: createEnvironmentFileReader(),
      }).facts
    : undefined;

const toShown = (
  file: ClientFile,
  { name, entry, notes, obstacle }: ClientServer,
  folders: ClientFolders,
): FoundServer => ({
  client: file.client.name,
  title: file.client.title,
  scope: file.scope,
  path: file.path,
  project: file.project,
  server: name,
  target: hideSecrets(
    entry.url?.replace(/[?#].*/s, "").replace(/\/\/[^/@]*@/, "//") ??
      [entry.command ?? "", ...(entry.args ?? [])].join(" "),
    listSecrets([entry.env, entry.headers]),
  ),
  isEnabled: entry.disabled !== true,
  facts: toFacts(file, entry, folders),
  notes,
  obstacle,
});

/** A project's file usually is in the repository, so the others who use it need us too. */
const describeShared = (
  files: readonly PlannedFile[],
  moves: readonly PlannedMove[],
  { workingFolder }: ClientFolders,
): readonly string[] => {
  const isShared = ({ change }: PlannedFile): boolean =>
    moves.some(({ file }) => file.scope === "project" && file.path === change.path);
  const shared = files.filter(isShared).map(({ change }) => relative(workingFolder, change.path));
  if (shared.length === 0) return [];
  const names = shared.join(" and ");
  const isOne = shared.length === 1;
  return [
    `${names} ${isOne ? "belongs" : "belong"} to the project. If others use ${isOne ? "it" : "them"} too, commit ${isOne ? "it" : "them"} with ${projectFileName}: everyone then needs mcp-coordinator, and trusts its servers once (mcp-coordinator trust). The entry has no path of this machine.`,
    ...(isShareable(workingFolder)
      ? []
      : [
          `The entry in ${names} starts "mcp-coordinator", which is not in your PATH. ${describeInstallation()}`,
        ]),
  ];
};

/** Applies the changes, or with `isDryRun` only reports them. */
export const init = async (request: InitRequest = {}): Promise<InitResult> => {
  const folders = toFolders(request);
  const ownFile = personalFile(folders.homeFolder);
  const { files, problems } = await findClientFiles({
    ...folders,
    isOwn,
    readText: readForeignFile,
    clients: request.clients,
  });
  const candidates = files.flatMap((file): readonly Candidate[] =>
    file.servers
      .filter((server) => !server.isOwn)
      .map((server) => ({ file, server, shown: toShown(file, server, folders) })),
  );
  const found = candidates.map(({ shown }) => shown);
  const isTaken = files.some(({ servers }) => servers.some((server) => server.isOwn));
  if (found.length === 0) {
    return writeStarter({ folders, problems, isTaken, isDryRun: request.isDryRun === true });
  }
  const movable = candidates.filter(
    ({ shown }) => shown.obstacle === undefined && request.except?.includes(shown.server) !== true,
  );
  const shownMovable = movable.map(({ shown }) => shown);
  const chosen = new Set(request.choose === undefined ? shownMovable : request.choose(shownMovable));
  const plan = await planTakeover(
    movable.filter(({ shown }) => chosen.has(shown)),
    folders,
  );
  const planned = await planFiles(plan, folders);
  const changed = new Set(planned.files.map(({ change }) => change.path));
  // A file that cannot be changed keeps its servers, so they are not added here.
  const moves = plan.moves.filter(({ file }) => changed.has(file.path));
  const whole = moves.length === plan.moves.length ? plan : await planTakeover(moves, folders);
  const servers = await planOwnFiles(whole);
  const isDecided = await isApprovalDecided(await readForeignFile(ownFile), ownFile);
  const asksBeforeWrites = isDecided || whole.moves.length === 0 ? undefined : request.asksBeforeWrites;
  const own =
    asksBeforeWrites === undefined ? servers : await withApproval(servers, asksBeforeWrites, ownFile);
  const secrets = listSecrets(candidates.flatMap(({ server }) => [server.entry.env, server.entry.headers]));
  const changes = [...own, ...planned.files.map(({ change }) => change)].map((change) => ({
    path: change.path,
    diff: renderChange(change, secrets),
  }));
  const isWritten = request.isDryRun !== true && changes.length > 0;
  if (isWritten) {
    await writePlan(own, planned.files, folders);
    // The person has just chosen these commands. Earlier content of the file still has to be reviewed.
    const isChosen = ({ kind, file, name }: UntrustedItem): boolean =>
      kind === "server" && whole.moves.some((move) => move.ownFile === file && move.ownName === name);
    await trust({ ...folders, config: own.map(({ path }) => path), withDisabled: true }, isChosen);
  }
  return {
    found,
    moved: whole.moves.map(({ file, server, ownFile, ownName }) => ({
      ...toShown(file, server, folders),
      ownFile,
      ownName,
    })),
    changes,
    ownFile,
    isApprovalDecided: isDecided,
    asksBeforeWrites,
    notes: whole.notes,
    warnings: describeShared(planned.files, whole.moves, folders),
    nextSteps: [...new Set(planned.files.map(({ takeover }) => takeover.client))].map(
      (name) => files.find(({ client }) => client.name === name)?.client.afterwards ?? "",
    ),
    problems: [...problems, ...planned.problems],
    isWritten,
  };
};

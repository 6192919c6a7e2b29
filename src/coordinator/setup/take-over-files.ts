// Carries out a takeover plan: writes our configuration, then each client's file with a backup. A dry run only reports it.
import {
  type ClientFile,
  type ClientFolders,
  editServers,
  type FileChange,
} from "../../config/clients/index.js";
import {
  CoordinatorError,
  type TakenPlace,
  type Takeover,
  toCoordinatorError,
} from "../../contracts/index.js";
import { writeForeignFile } from "../../store/index.js";
import { newId, openTakeoversOf, ownFileOf, toHash } from "./onboarding-places.js";
import { type TakeoverPlan, toClientEntry } from "./plan-takeover.js";

export interface PlannedFile {
  readonly change: FileChange & { readonly after: string };
  readonly takeover: Takeover;
}

/** Each client's file after the change. A file that cannot be changed is reported and left as it is. */
export const planFiles = async (
  { moves }: TakeoverPlan,
  folders: ClientFolders,
): Promise<{ readonly files: readonly PlannedFile[]; readonly problems: readonly CoordinatorError[] }> => {
  const files: PlannedFile[] = [];
  const problems: CoordinatorError[] = [];
  for (const path of new Set(moves.map(({ file }) => file.path))) {
    try {
      files.push(
        await planFile(
          moves.filter(({ file }) => file.path === path),
          folders,
        ),
      );
    } catch (thrown) {
      problems.push(toCoordinatorError(thrown));
    }
  }
  return { files, problems };
};

const planFile = async (moves: TakeoverPlan["moves"], folders: ClientFolders): Promise<PlannedFile> => {
  const [first] = moves;
  if (first === undefined) throw new CoordinatorError("INTERNAL", "Cannot plan a file: nothing is moved");
  const { path, format, text: before, client } = first.file;
  const places: TakenPlace[] = [];
  let after = before;
  for (const file of new Set(moves.map((move) => move.file))) {
    const taken = moves.filter((move) => move.file === file);
    after = await editPlace(
      after,
      file,
      taken.map(({ server }) => server.name),
      folders,
    );
    places.push({
      keys: file.keys,
      isList: file.isList,
      entryName: toClientEntry(file, ownFileOf(file, folders), folders)[0],
      moved: taken.map(({ server, ownFile, ownName, entry }) => ({
        name: server.name,
        ownFile,
        ownName,
        ownHash: toHash(JSON.stringify(entry)),
      })),
    });
  }
  return {
    change: { path, before, after },
    takeover: toTakeover({ client: client.name, path, format, places }, before, after),
  };
};

/** Removes servers from one place and adds our entry. */
const editPlace = (
  text: string,
  file: ClientFile,
  names: readonly string[],
  folders: ClientFolders,
): Promise<string> => {
  const entry = toClientEntry(file, ownFileOf(file, folders), folders);
  const edit = { keys: file.keys, isList: file.isList, remove: names, set: [entry] };
  return editServers(text, edit, file);
};

export const toTakeover = (
  facts: Pick<Takeover, "client" | "path" | "format" | "places">,
  before: string | undefined,
  after: string,
): Takeover => ({
  id: newId(),
  ...facts,
  takenAt: new Date().toISOString(),
  hashBefore: before === undefined ? undefined : toHash(before),
  hashAfter: toHash(after),
});

/** Our configurations after the change. */
export const planOwnFiles = (
  plan: TakeoverPlan,
): Promise<readonly (FileChange & { readonly after: string })[]> =>
  Promise.all(
    plan.ownFiles
      .filter(({ set }) => set.size > 0)
      .map(async ({ path, before, set }) => ({
        path,
        before,
        after: await editServers(
          before ?? "",
          { keys: ["mcpServers"], remove: [], set: [...set] },
          { format: "json", path },
        ),
      })),
  );

/** Writes everything: first our configurations, so that the servers are available, then the clients' files. */
export const writePlan = async (
  own: readonly (FileChange & { readonly after: string })[],
  files: readonly PlannedFile[],
  folders: ClientFolders,
): Promise<void> => {
  const takeovers = openTakeoversOf(folders);
  for (const { path, after } of own) await writeForeignFile(path, after);
  for (const { change, takeover } of files) {
    await takeovers.add(takeover, change);
    await writeForeignFile(change.path, change.after);
  }
};

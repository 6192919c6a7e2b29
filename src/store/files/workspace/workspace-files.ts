// The files of one workspace.
import type { WorkspaceFiles } from "../../../contracts/index.js";
import { openChangingFiles } from "./change-files.js";
import { openReadingFiles } from "./read-files.js";
import { type FilesPlaceOptions, openFilesPlace } from "./workspace-folder.js";

/** Opens them. The workspace's folder must be there. */
export const openWorkspaceFiles = (options: FilesPlaceOptions): WorkspaceFiles => {
  const place = openFilesPlace(options);
  const reading = openReadingFiles(place);
  const changing = openChangingFiles(place);
  return {
    ...reading,
    ...changing,
    copyFile: async (from, to) => changing.writeFile(to, await reading.readFile(from)),
  };
};

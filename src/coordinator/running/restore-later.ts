// Puts a library tree that is missing back, behind the back of the run that noticed it.
import type { Language } from "../../contracts/index.js";
import type { Rooms } from "../opening/rooms.js";

/** One at a time for each language; what fails is tried again after the next run. */
export const restoreLater = (rooms: Rooms, language: Language): void => {
  if (rooms.configuration.settings.libraryFolder === undefined || rooms.restoring.has(language)) return;
  const work = import("../generate-library.js")
    .then(({ restoreLibrary }) => restoreLibrary(rooms, language))
    .catch(() => {})
    .finally(() => rooms.restoring.delete(language));
  rooms.restoring.set(language, work);
};

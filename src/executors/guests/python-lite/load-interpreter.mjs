// Loads the embedded Python with the guest world inside, from a memory snapshot if there is one.
import { constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * @param {{ readonly engineFolder: string; readonly worldFolder: string; readonly guestFile: string;
 *   readonly snapshot?: Uint8Array; readonly isSnapshotMade?: boolean }} options
 */
export const loadInterpreter = async ({ engineFolder, worldFolder, guestFile, snapshot, isSnapshotMade }) => {
  // The engine looks up file flags through an API that Node's permission model closes. It gets no such files.
  process.binding = () => ({ fs: constants });
  const { loadPyodide } = await import(pathToFileURL(join(engineFolder, "pyodide.mjs")).href);
  const python = await loadPyodide({
    indexURL: `${engineFolder}/`,
    // "_" would be the path of this installation.
    env: { HOME: "/tmp", _: "python" },
    // Passes in nothing of the JavaScript world.
    jsglobals: {},
    stdin: () => null,
    stdout: () => {},
    stderr: () => {},
    _loadSnapshot: snapshot,
    _makeSnapshot: isSnapshotMade,
  });
  if (snapshot === undefined) {
    const files = readdirSync(worldFolder).filter((name) => name.endsWith(".py"));
    python.FS.mkdirTree("/guest/guest_world");
    for (const name of files)
      python.FS.writeFile(`/guest/guest_world/${name}`, readFileSync(join(worldFolder, name)));
    python.FS.writeFile("/guest/embedded_guest.py", readFileSync(guestFile));
    python.runPython(
      'import sys; sys.path.insert(0, "/guest"); import embedded_guest; sys.path.remove("/guest")',
    );
  }
  return python;
};

// Writes a snapshot of the embedded Python's memory, before it held any guest. Arguments: engine, world, guest, target.
import { renameSync, writeFileSync } from "node:fs";
import { loadInterpreter } from "./load-interpreter.mjs";

const [engineFolder, worldFolder, guestFile, target] = process.argv.slice(2);
const python = await loadInterpreter({ engineFolder, worldFolder, guestFile, isSnapshotMade: true });
// Atomically: readers never see a partial file.
writeFileSync(`${target}.${process.pid}`, python.makeMemorySnapshot(), { mode: 0o600 });
renameSync(`${target}.${process.pid}`, target);

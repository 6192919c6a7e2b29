// Writes a snapshot of the embedded Python's memory, before any guest was in it. Arguments: engine, world, guest, target.
import { renameSync, writeFileSync } from "node:fs";
import { loadInterpreter } from "./load-interpreter.mjs";

const [engineFolder, worldFolder, guestFile, target] = process.argv.slice(2);
const python = await loadInterpreter({ engineFolder, worldFolder, guestFile, isSnapshotMade: true });
// In one step: whoever reads it finds it whole.
writeFileSync(`${target}.${process.pid}`, python.makeMemorySnapshot(), { mode: 0o600 });
renameSync(`${target}.${process.pid}`, target);

// The wasm sandbox process: takes one run at a time and gives each a fresh QuickJS, itself inside WebAssembly.
// Started with an empty environment and Node's permission model; it locks itself down before it takes any code.
// Arguments: the engine's folder, the default memory limit, the module that implements URL, the walls.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { lockDown } from "../../walls/lock-down.mjs";
import { watchInput } from "../../walls/watch-input.mjs";
import { createEngine } from "./quickjs-sandbox.mjs";
import { readGuestWorld } from "./read-world.mjs";
import { serveRuns, wireInput } from "./serve-runs.mjs";

const [engineFolder, memoryText, urlModule, wallText] = process.argv.slice(2);

// Synchronously: resolving a promise later needs the event loop, which needs calls that the walls forbid.
WebAssembly.instantiate = async (module, imports) => new WebAssembly.Instance(module, imports);

const engine = await createEngine({
  quickjs: await import(pathToFileURL(`${engineFolder}/dist/index.js`).href),
  module: new WebAssembly.Module(readFileSync(`${engineFolder}/quickjs.wasm`)),
  world: readGuestWorld(urlModule),
});

const walls = JSON.parse(wallText);
const hasInput = watchInput({ nativeFolder: walls.nativeFolder, descriptor: wireInput });
const facts = lockDown(walls);
await serveRuns({ engine, memoryMb: Number(memoryText), facts, hasInput });

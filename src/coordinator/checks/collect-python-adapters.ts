// Collects the hand-written Python library files that a program names. The guest imports them itself.
import type { PreparedModule, PreparedProgram } from "../../checker/index.js";
import { toPackageNames } from "../../codegen/index.js";
import { type Adapter, listAdapters, readAdapter } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { prepareModule } from "./checker.js";
import { checkSize, type ReachedAdapters, toAdapterPlace } from "./collect-adapters.js";
import { openPythonSkills } from "./collect-python-skills.js";

/** The adapters named in the program or in another of its adapters. */
export const collectPythonAdapters = async (
  host: Host,
  program: PreparedProgram,
  { codeBytes }: { readonly codeBytes: number },
): Promise<ReachedAdapters> => {
  const found = new Map<string, PreparedModule>();
  const skills = await openPythonSkills(host, program.words);
  let bytes = Buffer.byteLength(program.text);
  const waiting = [program.words];
  const add = async (adapter: Adapter): Promise<void> => {
    if (found.has(adapter.path)) return;
    bytes += Buffer.byteLength(adapter.source);
    checkSize(bytes, found.size + 1, codeBytes);
    const module = await prepareModule(host.asker, adapter, "python");
    found.set(adapter.path, module);
    waiting.push(module.words);
  };
  for (let words = waiting.pop(); words !== undefined; words = waiting.pop()) {
    for (const module of await skills.select(words)) await add(module);
    for (const [server, folder] of toPackageNames(host.identifiers)) {
      const place = toAdapterPlace(host, `mcp_tools/${folder}`);
      if (place === undefined) break;
      const isNamed = [server, folder, host.identifiers.get(server) ?? ""].some((name) => words.has(name));
      // An adapter imports its neighbours without naming the server.
      if (!isNamed && ![...found.keys()].some((file) => file.startsWith(`${place.folder}/`))) continue;
      const names = (await listAdapters(place)).filter((name) => words.has(name));
      for (const name of names) {
        const adapter = await readAdapter(place, name);
        // The guest names modules after their files.
        if (adapter !== undefined) await add({ ...adapter, path: adapter.file });
      }
    }
  }
  return {
    modules: [...found.values()],
    find: (path) => found.get(path),
  };
};

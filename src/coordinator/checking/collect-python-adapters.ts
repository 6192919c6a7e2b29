// Finds the hand-written Python files of the library that a program names: the guest imports them itself.
import type { PreparedModule, PreparedProgram } from "../../checker/index.js";
import { toPackageNames } from "../../codegen/index.js";
import { type Adapter, listAdapters, readAdapter } from "../../store/index.js";
import type { Rooms } from "../opening/rooms.js";
import { checkSize, type ReachedAdapters, toAdapterPlace } from "./collect-adapters.js";
import { openPythonSkills } from "./collect-python-skills.js";

const toWords = (text: string): ReadonlySet<string> =>
  new Set(text.match(/[\p{ID_Start}_][\p{ID_Continue}]*/gu));

/** The adapters whose names stand in the program, or in an adapter that does. */
export const collectPythonAdapters = async (
  rooms: Rooms,
  program: PreparedProgram,
  { codeBytes }: { readonly codeBytes: number },
): Promise<ReachedAdapters> => {
  const found = new Map<string, PreparedModule>();
  const skills = await openPythonSkills(rooms, program.words);
  let bytes = Buffer.byteLength(program.text);
  const waiting = [program.words];
  const add = (adapter: Adapter): void => {
    if (found.has(adapter.path)) return;
    bytes += Buffer.byteLength(adapter.source);
    checkSize(bytes, found.size + 1, codeBytes);
    const module = toPythonModule(adapter);
    found.set(adapter.path, module);
    waiting.push(module.words);
  };
  for (let words = waiting.pop(); words !== undefined; words = waiting.pop()) {
    for (const module of await skills.select(words)) add(module);
    for (const [server, folder] of toPackageNames(rooms.identifiers)) {
      const place = toAdapterPlace(rooms, `mcp_tools/${folder}`);
      if (place === undefined) break;
      const isNamed = [server, folder, rooms.identifiers.get(server) ?? ""].some((name) => words.has(name));
      // An adapter imports its neighbours without naming the server.
      if (!isNamed && ![...found.keys()].some((file) => file.startsWith(`${place.folder}/`))) continue;
      const names = (await listAdapters(place)).filter((name) => words.has(name));
      for (const name of names) {
        const adapter = await readAdapter(place, name);
        // The guest names modules by their files.
        if (adapter !== undefined) add({ ...adapter, path: adapter.file });
      }
    }
  }
  return {
    modules: [...found.values()],
    find: (path) => found.get(path),
  };
};

/** Python is compiled by its guest: the text goes as it is. */
export const toPythonModule = ({ path, file, source }: Adapter): PreparedModule => ({
  path,
  file,
  text: source,
  code: source,
  imports: [],
  words: toWords(source),
  toSource: (line, column) => ({
    file,
    line,
    column,
    excerpt: (source.split("\n")[line - 1] ?? "").trim().slice(0, 200),
  }),
});

// A coordinator with a server that keeps notes, and a policy that says how its calls are undone; closed after the test.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpenedCoordinator, type OpenOptions, openCoordinator } from "../../src/index.js";
import { fixturePath } from "./fixture-servers.js";
import { temporaryFolder } from "./temporary-folder.js";

/** `add` is undone by removing the note, `edit` by writing the previous text. */
export const undoRules = {
  "notes.add": { call: "notes.remove", with: { id: "$answer.id" } },
  "notes.edit": {
    call: "notes.edit",
    with: { id: "$arguments.id", text: "$before.text" },
    before: { call: "notes.get", with: { id: "$arguments.id" } },
    check: {
      call: "notes.get",
      with: { id: "$arguments.id" },
      expect: { text: "$arguments.text" },
    },
  },
};

export interface Notebook {
  readonly folder: string;
  readonly coordinator: OpenedCoordinator;
  readonly notes: () => Readonly<Record<string, string>>;
  /** The calls that the server has seen since `forget`. */
  readonly seen: () => readonly string[];
  readonly forget: () => void;
  readonly write: (notes: Readonly<Record<string, string>>) => void;
  /** Another coordinator over the same state, with another policy. */
  readonly openAnother: (policy?: object, settings?: OpenOptions["settings"]) => Promise<OpenedCoordinator>;
}

export const openNotebook = async (
  policy: object = { undo: undoRules },
  settings: OpenOptions["settings"] = {},
): Promise<Notebook> => {
  const folder = await temporaryFolder();
  const file = join(folder, "notes.json");
  const openAnother = async (given: object = policy, more: OpenOptions["settings"] = settings) => {
    writeFileSync(
      join(folder, "mcp.json"),
      JSON.stringify({
        mcpServers: { notes: { command: process.execPath, args: [fixturePath("notebook"), "--file", file] } },
        coordinator: { policy: given },
      }),
    );
    const coordinator = await openCoordinator({
      config: join(folder, "mcp.json"),
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache"), ...more },
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  const forget = (): void => writeFileSync(`${file}.log`, "");
  forget();
  return {
    folder,
    coordinator: await openAnother(),
    notes: () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}),
    seen: () => readFileSync(`${file}.log`, "utf8").split("\n").slice(0, -1),
    forget,
    write: (notes) => {
      appendFileSync(file, "");
      writeFileSync(file, JSON.stringify(notes));
    },
    openAnother,
  };
};

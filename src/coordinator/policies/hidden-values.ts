// The values behind tokens, by workspace. They are in memory and, encrypted, in the vault, so that a run can be resumed after a restart.
import { type Json, type JsonObject, maxTimerMs, type Vault } from "../../contracts/index.js";
import {
  type HiddenValue,
  type HideOptions,
  hideFound,
  hideInText,
  listTexts,
  PrivacyTokenMap,
  readFindings,
} from "../../policy/index.js";
import type { Detect } from "./external-detector.js";
import { hideInWorker } from "./hide-in-worker.js";

export interface HiddenValues {
  /** The text with tokens. */
  readonly hide: (workspace: string, text: string, options: HideOptions, detect?: Detect) => Promise<string>;
  /** Works with the tokens of a workspace. */
  readonly use: <Result>(
    workspace: string,
    work: (map: PrivacyTokenMap) => Promise<Result>,
  ) => Promise<Result>;
}

export interface HiddenValuesOptions {
  readonly vault: Vault;
  /** Values are forgotten after this long without use. */
  readonly maxIdleMs: number;
  readonly now?: (() => number) | undefined;
}

interface State {
  readonly map: PrivacyTokenMap;
  /** Of the vault's entry. 0: there is none. */
  generation: number;
  /** How many values the vault has. */
  saved: number;
  usedAt: number;
  /** `usedAt` as the vault has it. */
  savedAt: number;
}

/** Longer texts are read in a thread. */
const maxOwnLength = 16 * 1024;
/** Values in one entry of the vault. Only entries with new values are written. */
const pageSize = 200;
const maxAttempts = 10;

const nameOf = (workspace: string, page?: number): string =>
  `hidden values of ${workspace}${page === undefined ? "" : ` ${page}`}`;

export const openHiddenValues = ({ vault, maxIdleMs, now = Date.now }: HiddenValuesOptions): HiddenValues => {
  const states = new Map<string, State>();
  const turns = new Map<string, Promise<unknown>>();

  /** One at a time for each workspace, because tokens are numbered in order. */
  const inTurn = <Result>(workspace: string, work: () => Promise<Result>): Promise<Result> => {
    const next = (turns.get(workspace) ?? Promise.resolve()).then(work);
    const settled = next.catch(() => {});
    turns.set(workspace, settled);
    void settled.then(() => {
      if (turns.get(workspace) === settled) turns.delete(workspace);
    });
    return next;
  };

  const read = async (workspace: string): Promise<State> => {
    const entry = await vault.read(nameOf(workspace));
    const { last = {}, count = 0, usedAt = 0 } = (entry?.value ?? {}) as unknown as Saved;
    const map = new PrivacyTokenMap();
    map.skipNumbers(last);
    const isExpired = now() - usedAt > maxIdleMs;
    for (let page = 0; page * pageSize < count; page++) {
      if (isExpired) await vault.remove(nameOf(workspace, page));
      else for (const value of await readPage(vault, nameOf(workspace, page))) map.add(value);
    }
    map.changed.clear();
    return { map, generation: entry?.generation ?? 0, saved: map.size, usedAt: now(), savedAt: usedAt };
  };
  const open = async (workspace: string): Promise<State> => {
    const known = states.get(workspace);
    if (known !== undefined && now() - known.usedAt <= maxIdleMs) return known;
    const state = await read(workspace);
    states.set(workspace, state);
    forgetLater(workspace, state);
    return state;
  };
  /** Expired values are removed even if they are never used again. */
  const forgetLater = (workspace: string, state: State): void => {
    setTimeout(
      () => {
        if (states.get(workspace) !== state) return;
        if (now() - state.usedAt <= maxIdleMs) forgetLater(workspace, state);
        else void inTurn(workspace, () => open(workspace)).catch(() => states.delete(workspace));
      },
      Math.min(maxIdleMs + 1000, maxTimerMs),
    ).unref();
  };

  /** False if another process has changed the values since they were read. */
  const save = (workspace: string, state: State): Promise<boolean> =>
    vault.exclusively(nameOf(workspace), async () => {
      const { map } = state;
      const current = await vault.read(nameOf(workspace));
      if ((current?.generation ?? 0) !== state.generation) return false;
      const pages = new Set([...map.changed].map((index) => Math.floor(index / pageSize)));
      for (let index = state.saved; index < map.size; index++) pages.add(Math.floor(index / pageSize));
      for (const page of pages) {
        const values = map.list(page * pageSize, (page + 1) * pageSize);
        await vault.write(nameOf(workspace, page), { values: values as unknown as Json });
      }
      const saved: Saved = { last: map.lastNumbers(), count: map.size, usedAt: state.usedAt };
      const entry = await vault.write(nameOf(workspace), saved as unknown as JsonObject);
      state.generation = entry?.generation ?? 0;
      state.saved = map.size;
      state.savedAt = state.usedAt;
      map.changed.clear();
      return true;
    });
  /** Writes new values, and from time to time when they were last used. */
  const saveIfNew = async (workspace: string, state: State): Promise<boolean> => {
    state.usedAt = now();
    const isNew = state.map.size > state.saved || state.map.changed.size > 0;
    const isOld = state.saved > 0 && state.usedAt - state.savedAt > maxIdleMs / 10;
    return isNew || isOld ? save(workspace, state) : true;
  };

  const change = async <Result>(
    workspace: string,
    work: (map: PrivacyTokenMap) => Promise<Result>,
  ): Promise<Result> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const state = await open(workspace);
      try {
        const result = await work(state.map);
        if (await saveIfNew(workspace, state)) return result;
      } catch (thrown) {
        // What is in memory is not in the vault.
        states.delete(workspace);
        throw thrown;
      }
      states.delete(workspace);
    }
    throw new Error("Other processes keep changing the hidden values");
  };

  return {
    hide: (workspace, text, options, detect) =>
      inTurn(workspace, () =>
        change(workspace, async (map) => {
          const hidden =
            text.length > maxOwnLength
              ? await hideInWorker(text, map, options)
              : hideInText(text, map, options);
          return detect === undefined ? hidden : hideDetected(hidden, map, options, detect);
        }),
      ),
    use: (workspace, work) => inTurn(workspace, () => change(workspace, work)),
  };
};

/** Longer texts are not given to a detector outside: their answers are withheld. */
const maxDetectedLength = 1024 * 1024;
const hasWords = /[\p{L}\p{N}]/u;

/** The detector sees what our own detectors have left. Throws if it fails, is slow, or answers with impossible places. */
const hideDetected = async (
  text: string,
  map: PrivacyTokenMap,
  options: HideOptions,
  detect: Detect,
): Promise<string> => {
  if (text.length > maxDetectedLength) throw new Error("The answer is too large for the detector");
  const texts = listTexts(text, options).filter((one) => hasWords.test(one));
  if (texts.length === 0) return text;
  const found = readFindings(texts, await detect(texts), options.kinds);
  if (found === undefined) throw new Error("The detector's answer is invalid");
  return hideFound(text, map, options, found);
};

interface Saved {
  /** The numbers that were given last, also to values that are forgotten. */
  readonly last: Readonly<Record<string, number>>;
  readonly count: number;
  readonly usedAt: number;
}

const readPage = async (vault: Vault, name: string): Promise<readonly HiddenValue[]> => {
  const entry = await vault.read(name);
  return (entry?.value.values ?? []) as unknown as readonly HiddenValue[];
};

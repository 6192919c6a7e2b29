// Plans what our configurations lose when servers return to their clients.
import {
  editServers,
  type FileChange,
  listSecrets,
  listServers,
  type OwnEntry,
  parseClientFile,
  renderChange,
} from "../../config/clients/index.js";
import type { MovedServer, Takeover } from "../../contracts/index.js";
import { readForeignFile } from "../../store/index.js";
import { toHash } from "./onboarding-places.js";

const listMoved = (takeovers: readonly Takeover[]): readonly MovedServer[] =>
  takeovers.flatMap(({ places }) => places.flatMap(({ moved }) => moved));

const isEmpty = (document: unknown): boolean =>
  JSON.stringify(document) === '{"mcpServers":{}}' || JSON.stringify(document) === "{}";

/** Each configuration without the returned servers, except those that another client needs or that were edited. */
export const planReturn = async (
  returned: readonly Takeover[],
  all: readonly Takeover[],
): Promise<readonly (FileChange & { readonly diff: string })[]> => {
  const needed = listMoved(all.filter((takeover) => !returned.includes(takeover)));
  const leaving = listMoved(returned).filter(
    ({ ownFile, ownName }) => !needed.some((moved) => moved.ownFile === ownFile && moved.ownName === ownName),
  );
  const changes: (FileChange & { readonly diff: string })[] = [];
  for (const path of new Set(leaving.map(({ ownFile }) => ownFile))) {
    const before = await readForeignFile(path);
    if (before === undefined) continue;
    const servers = new Map(
      listServers(await parseClientFile(before, "json", path), { keys: ["mcpServers"] }),
    );
    const remove = leaving
      .filter(
        ({ ownFile, ownName, ownHash }) =>
          ownFile === path && toHash(JSON.stringify(servers.get(ownName) ?? null)) === ownHash,
      )
      .map(({ ownName }) => ownName);
    if (remove.length === 0) continue;
    const edit = { keys: ["mcpServers"], remove: [...new Set(remove)], set: [] };
    const text = await editServers(before, edit, { format: "json", path });
    const after = isEmpty(await parseClientFile(text, "json", path)) ? undefined : text;
    const entries = [...servers.values()] as readonly OwnEntry[];
    const secrets = listSecrets(entries.flatMap(({ env, headers }) => [env, headers]));
    changes.push({ path, before, after, diff: renderChange({ path, before, after }, secrets) });
  }
  return changes;
};

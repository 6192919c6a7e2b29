// Skills over MCP, by the protocol's extension: lists them, and every file of one with its digest.
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { toCoordinatorError } from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";

const extension = "io.modelcontextprotocol/skills";

/** The capabilities of a server with these handlers. */
export const skillCapabilities = { extensions: { [extension]: {} } };

const pageSize = 50;
const caching = { ttlMs: 0, cacheScope: "private" } as const;

const listParameters = z.looseObject({ cursor: z.string().optional() });
const getParameters = z.looseObject({ uri: z.string() });

const toUri = (path: string): string => `skill://${path}/SKILL.md`;

/** Undefined if it is not a folder with a SKILL.md in the public format. */
const toEntry = async (coordinator: Coordinator, path: string) => {
  const { skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
  const files = await coordinator.readSkillFiles({ name: path });
  try {
    return await skillEntry(path, Object.fromEntries(files.map((file) => [file.path, file.content])));
  } catch {
    return undefined;
  }
};

const refuse = (thrown: unknown): never => {
  if (thrown instanceof ProtocolError) throw thrown;
  const { code, kind, message, hint } = toCoordinatorError(thrown);
  throw new ProtocolError(
    kind === "user" ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    `${code}: ${message}. ${hint}`,
  );
};

export const handleSkills = (server: Server, coordinator: Coordinator): void => {
  server.setRequestHandler("skills/list", { params: listParameters }, async ({ cursor }) => {
    const start = Number(cursor ?? 0);
    if (!Number.isSafeInteger(start) || start < 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not valid");
    const all = await coordinator.listSkills({ order: "name" }).catch(refuse);
    // The protocol has no state for a skill that cannot be run.
    const listed = all.filter(({ state }) => state !== "broken");
    const page = listed.slice(start, start + pageSize);
    const entries = await Promise.all(page.map(({ path }) => toEntry(coordinator, path)));
    const next = start + pageSize;
    return {
      skills: entries.filter((entry) => entry !== undefined),
      ...(next < listed.length ? { nextCursor: String(next) } : {}),
      ...caching,
    };
  });
  server.setRequestHandler("skills/get", { params: getParameters }, async ({ uri }) => {
    const path = /^skill:\/\/(.+)\/SKILL\.md$/.exec(uri)?.[1] ?? "";
    const { path: known } = await coordinator.showSkill({ name: path }).catch(refuse);
    const skill = toUri(known) === uri ? await toEntry(coordinator, known) : undefined;
    if (skill === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${uri}`);
    return { skill, ...caching };
  });
};

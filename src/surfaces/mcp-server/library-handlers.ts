// The library and the skills over MCP: resources, prompts, completion of names, and skills by the protocol's extension, every file with its digest.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type CoordinatorError, toCoordinatorError } from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";

const extension = "io.modelcontextprotocol/skills";

/** The capabilities of a server with these handlers. */
export const libraryCapabilities = {
  resources: {},
  prompts: {},
  completions: {},
  extensions: { [extension]: {} },
};

export const handleLibrary = (server: Server, coordinator: Coordinator): void => {
  server.setRequestHandler("resources/list", ({ params }) =>
    answer(async () => {
      const page = await coordinator.listResources({ cursor: params?.cursor });
      return { ...page, resources: [...page.resources] };
    }),
  );
  server.setRequestHandler("resources/templates/list", () =>
    answer(async () => ({ resourceTemplates: [...(await coordinator.listResourceTemplates())] })),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }, { mcpReq: { signal } }) =>
    answer(async () => {
      const offered = await coordinator.readOffered({ resource: uri, signal });
      // The server's contents as they are, also images.
      return { contents: (offered ?? [await coordinator.readResource({ uri })]) as never };
    }, uri),
  );
  server.setRequestHandler("prompts/list", () =>
    answer(async () => ({
      prompts: (await coordinator.listPrompts()).map((prompt) => ({
        ...prompt,
        arguments: [...prompt.arguments],
      })),
    })),
  );
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }, { mcpReq: { signal } }) =>
    answer(async () => {
      const offered = await coordinator.readOffered({ prompt: name, arguments: given, signal });
      if (offered !== undefined) return offered as never;
      const { description, text } = await coordinator.getPrompt({
        name,
        arguments: given,
      });
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    }),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument, context } }) =>
    answer(async () => {
      const of = ref.type === "ref/prompt" ? { prompt: ref.name } : { template: ref.uri };
      const offered = await coordinator.readOffered({
        ...(ref.type === "ref/prompt" ? { prompt: ref.name } : { resource: ref.uri }),
        complete: { argument: argument.name, value: argument.value, known: context?.arguments },
      });
      if (offered !== undefined) return { completion: offered as never };
      const { values, total } = await coordinator.completeName({
        of,
        argument: argument.name,
        value: argument.value,
        known: context?.arguments,
      });
      return { completion: { values: [...values], total, hasMore: values.length < total } };
    }),
  );
  handleSkills(server, coordinator);
};

/** Reports errors in the protocol's format. */
const answer = async <Result>(work: () => Promise<Result>, uri?: string): Promise<Result> => {
  try {
    return await work();
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    const text = toText(error);
    if (uri !== undefined && /^(?:RESOURCE|SERVER|TOOL)_UNKNOWN$/.test(error.code))
      throw new ResourceNotFoundError(uri, text);
    const isAsker = error.kind === "user";
    throw new ProtocolError(
      isAsker ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      text,
    );
  }
};

const toText = ({ code, message, hint }: CoordinatorError): string => `${code}: ${message}. ${hint}`;

const pageSize = 50;
const caching = { ttlMs: 0, cacheScope: "private" } as const;

const listParameters = z.looseObject({ cursor: z.string().optional() });
const getParameters = z.looseObject({ uri: z.string() });

const toUri = (path: string): string => `skill://${path}/SKILL.md`;

/** Undefined if it is not a folder with a SKILL.md in the public format, or nobody has accepted it and somebody must. */
const toEntry = async (coordinator: Coordinator, path: string) => {
  const { skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
  try {
    const files = await coordinator.readSkillFiles({ name: path });
    return await skillEntry(path, Object.fromEntries(files.map((file) => [file.path, file.content])));
  } catch {
    return undefined;
  }
};

const handleSkills = (server: Server, coordinator: Coordinator): void => {
  server.setRequestHandler("skills/list", { params: listParameters }, async ({ cursor }) => {
    const start = Number(cursor ?? 0);
    if (!Number.isSafeInteger(start) || start < 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not valid");
    const all = await answer(() => coordinator.listSkills({ order: "name" }));
    // The protocol has no state for a skill that cannot be run.
    const listed = all.filter(({ state }) => state !== "broken");
    const page = listed.slice(start, start + pageSize);
    const entries = await Promise.all(page.map(({ path }) => toEntry(coordinator, path)));
    const next = start + pageSize;
    return {
      skills: entries.filter((entry) => entry !== undefined),
      nextCursor: next < listed.length ? String(next) : undefined,
      ...caching,
    };
  });
  server.setRequestHandler("skills/get", { params: getParameters }, async ({ uri }) => {
    const path = /^skill:\/\/(.+)\/SKILL\.md$/.exec(uri)?.[1] ?? "";
    const { path: known } = await answer(() => coordinator.showSkill({ name: path }));
    const skill = toUri(known) === uri ? await toEntry(coordinator, known) : undefined;
    if (skill === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${uri}`);
    return { skill, ...caching };
  });
};

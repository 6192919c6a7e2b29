// The library over MCP: resources, prompts, and completion of names in both.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { type CoordinatorError, toCoordinatorError } from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";

/** The capabilities of a server with these handlers. */
export const libraryCapabilities = { resources: {}, prompts: {}, completions: {} } as const;

export const handleLibrary = (server: Server, coordinator: Coordinator): void => {
  server.setRequestHandler("resources/list", ({ params }) =>
    answer(async () => {
      const page = await coordinator.listResources(
        params?.cursor === undefined ? {} : { cursor: params.cursor },
      );
      return { ...page, resources: [...page.resources] };
    }),
  );
  server.setRequestHandler("resources/templates/list", () =>
    answer(async () => ({ resourceTemplates: [...(await coordinator.listResourceTemplates())] })),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    answer(async () => ({ contents: [await coordinator.readResource({ uri })] }), uri),
  );
  server.setRequestHandler("prompts/list", () =>
    answer(async () => ({
      prompts: (await coordinator.listPrompts()).map((prompt) => ({
        ...prompt,
        arguments: [...prompt.arguments],
      })),
    })),
  );
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }) =>
    answer(async () => {
      const { description, text } = await coordinator.getPrompt({
        name,
        arguments: given,
      });
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    }),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument, context } }) =>
    answer(async () => {
      const { values, total } = await coordinator.completeName({
        of: ref.type === "ref/prompt" ? { prompt: ref.name } : { template: ref.uri },
        argument: argument.name,
        value: argument.value,
        known: context?.arguments,
      });
      return { completion: { values: [...values], total, hasMore: values.length < total } };
    }),
  );
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

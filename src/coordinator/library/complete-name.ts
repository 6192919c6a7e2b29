// Completes names in library templates and prompts from what is known without starting a server.
import { assignFunctionNames, toPackageNames } from "../../codegen/index.js";
import { findServer, type Host, readCatalog } from "../host/host.js";
import { languages, libraryTemplates } from "./library-address.js";
import type { Completion, CompletionRequest } from "./library-verbs.js";
import { findPrompt } from "./list-prompts.js";

const maxValues = 100;

export const completeName = async (host: Host, request: CompletionRequest): Promise<Completion> => {
  const { of, argument, value } = request;
  if ("kind" in of) {
    const { listKnownNames } = await import("./list-known-names.js");
    return select(await listKnownNames(host, of.kind, request.known ?? {}), value);
  }
  const isPython = "template" in of && of.template.includes("://mcp_tools/");
  const isKnown =
    "template" in of
      ? libraryTemplates.some(({ uriTemplate }) => uriTemplate === of.template)
      : findPrompt(of.prompt).arguments.some(({ name }) => name === argument);
  if (!isKnown) return { values: [], total: 0 };
  const names =
    argument === "server"
      ? listServerNames(host, isPython)
      : argument === "tool"
        ? await listToolNames(host, request.known?.server, isPython)
        : argument === "language"
          ? languages
          : [];
  return select(names, value);
};

const select = (names: readonly string[], value: string): Completion => {
  const wanted = value.toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const rank = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const values = fitting.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return { values: values.slice(0, maxValues), total: values.length };
};

const listServerNames = (host: Host, isPython: boolean): readonly string[] => {
  const names = isPython ? toPackageNames(host.identifiers) : host.identifiers;
  return host.configuration.servers
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name }) => names.get(name) ?? name);
};

const listToolNames = async (
  host: Host,
  server: string | undefined,
  isPython: boolean,
): Promise<readonly string[]> => {
  if (server === undefined) return [];
  try {
    const [named] = [...toPackageNames(host.identifiers)].find(([, folder]) => folder === server) ?? [];
    const { name } = findServer(host, named ?? server);
    if (!host.catalogs.has(name) && (await host.upstreams.peek(name)) === undefined) return [];
    const catalog = await readCatalog(host, name);
    return isPython
      ? [...assignFunctionNames(catalog).values()]
      : catalog.tools.map(({ functionName }) => functionName);
  } catch {
    // An unknown name has no completions.
    return [];
  }
};

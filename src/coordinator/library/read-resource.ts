// Reads one file of the library: the same source that `generate` writes and programs import.

import {
  assignFunctionNames,
  planServerTree,
  planToolFile,
  planTopFiles,
  toPackageNames,
} from "../../codegen/index.js";
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { listAdapters, readAdapter } from "../../store/index.js";
import { toAdapterPlace } from "../checks/collect-adapters.js";
import { findServer, type Host, quoteList, readCatalog } from "../host/host.js";
import { readManual } from "../presenting/read-manual.js";
import { isSkillAddress, readSkillResource } from "../skills/skill-resources.js";
import {
  type LibraryAddress,
  mimeTypes,
  parseAddress,
  resourceUnknown,
  topFolders,
} from "./library-address.js";
import type { ResourceText } from "./library-verbs.js";

type ServerAddress = Extract<LibraryAddress, { kind: "server" }>;

export const readResource = async (host: Host, { uri }: { readonly uri: string }): Promise<ResourceText> => {
  if (isSkillAddress(uri)) return readSkillResource(host, uri);
  const address = parseAddress(uri);
  const text =
    address.kind === "manual"
      ? await readManual(host, address.language)
      : address.kind === "top"
        ? await readTop(host, uri, address)
        : await readServerFile(host, uri, address);
  const isMarkdown = address.kind === "manual" || address.file.endsWith(".md");
  return { uri, mimeType: isMarkdown ? mimeTypes.markdown : mimeTypes[address.language], text };
};

/** Counts only known tools, so that listing starts no server. */
const readTop = async (
  host: Host,
  uri: string,
  { language, file }: Extract<LibraryAddress, { kind: "top" }>,
): Promise<string> => {
  const packages = toPackageNames(host.identifiers);
  const servers = host.configuration.servers
    .filter(({ isEnabled }) => isEnabled)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const entries = await Promise.all(
    servers.map(async ({ name }) => ({
      server: name,
      name: (language === "python" ? packages : host.identifiers).get(name) ?? name,
      toolCount: (await host.upstreams.peek(name).catch(() => undefined))?.tools.length,
    })),
  );
  const path = `${topFolders[language]}/${file}`;
  const found = planTopFiles(language, entries).find((one) => one.path === path);
  if (found === undefined) throw resourceUnknown(uri, "the library has no such file");
  return found.source;
};

const readServerFile = async (host: Host, uri: string, address: ServerAddress): Promise<string> => {
  const { language, file } = address;
  const { name } = findPackage(host, address);
  const folder =
    (language === "python" ? toPackageNames(host.identifiers) : host.identifiers).get(name) ?? name;
  const stem = file.replace(/\.(?:ts|py|pyi)$/, "");
  const place = toAdapterPlace(host, `${topFolders[language]}/${folder}`);
  const adapter = place === undefined ? undefined : await readAdapter(place, stem);
  if (adapter !== undefined) return adapter.source;
  const catalog = await readCatalog(host, name);
  const tool = findTool(catalog, language, stem);
  if (tool !== undefined && !isOverview(file))
    return planToolFile({ catalog, language, folder, tool: await host.shapes.show(tool) }).source;
  if (!isOverview(file)) throw unknownFile(host, uri, address, catalog);
  const shown = { ...catalog, tools: await Promise.all(catalog.tools.map(host.shapes.show)) };
  const path = `${topFolders[language]}/${folder}/${file}`;
  const { files } = await planServerTree({ catalog: shown, language, folder });
  const found = files.find((one) => one.path === path);
  if (found === undefined) throw resourceUnknown(uri, "the library has no such file");
  if (place === undefined || file !== "README.md") return found.source;
  return found.source + renderAdapters(await listAdapters(place), place.folder);
};

const isOverview = (file: string): boolean => /^(?:README\.md|index\.ts|__init__\.py)$/.test(file);

/** A Python package may have another name than its server. */
const findPackage = (host: Host, { language, server }: ServerAddress): { readonly name: string } => {
  const [found] =
    language === "python"
      ? ([...toPackageNames(host.identifiers)].find(([, name]) => name === server) ?? [])
      : [];
  return findServer(host, found ?? server);
};

const findTool = (
  catalog: ServerCatalog,
  language: "typescript" | "python",
  name: string,
): Tool | undefined => {
  if (language === "typescript") return catalog.find(name) ?? catalog.find(name.replace(/_$/, ""));
  const [found] = [...assignFunctionNames(catalog)].find(([, written]) => written === name) ?? [];
  return found ?? catalog.find(name);
};

const unknownFile = (host: Host, uri: string, { language }: ServerAddress, catalog: ServerCatalog) => {
  const names = catalog.tools.map((tool) => tool.functionName);
  const wanted = decodeURIComponent(uri.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const near = nearestNames(wanted, names);
  const folder = `library://${topFolders[language]}/${host.identifiers.get(catalog.server)}`;
  return resourceUnknown(
    uri,
    `the server "${catalog.server}" has no such tool`,
    near.length > 0 ? `Did you mean ${quoteList(near)}?` : `Read "${folder}" for the list.`,
  );
};

/** Adapters are not part of the generated file and change independently. */
const renderAdapters = (names: readonly string[], folder: string): string =>
  names.length === 0
    ? ""
    : `\n## Adapters\n\nWritten by hand, imported like tools:\n\n${names.map((name) => `- \`${folder}/${name}\`\n`).join("")}`;

// The readable files of the library: lists a page per server without starting any, and reads one as `generate` writes it.
import {
  assignFunctionNames,
  planServerTree,
  planToolFile,
  planTopFiles,
  toPackageNames,
} from "../../codegen/index.js";
import { CoordinatorError, type ServerCatalog, type Tool } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { listAdapters, readAdapter } from "../../store/index.js";
import { toAdapterPlace } from "../checks/collect-adapters.js";
import { findServer, type Host, quoteList, readCatalog } from "../host/host.js";
import { readManual } from "../presenting/read-manual.js";
import { isSkillAddress, listSkillResources, readSkillResource } from "../skills/list-skills.js";
import {
  type LibraryAddress,
  type LibraryResource,
  libraryTemplates,
  mimeTypes,
  parseAddress,
  type ResourceTemplate,
  resourceUnknown,
  toAddress,
  topFolders,
} from "./library-addresses.js";
import { listOfferedResources, listOfferedTemplates } from "./read-offered.js";

/** A page of the library's files and the servers' resources. */
export interface ResourcePage {
  readonly resources: readonly LibraryResource[];
  /** Requests the next page. Absent on the last. */
  readonly nextCursor?: string | undefined;
}

/** The text of one file of the library. */
export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

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
  const files = await planTopFiles(language, entries);
  const found = files.find((one) => one.path === path);
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

const pageSize = 100;

export const listResourceTemplates = async (host: Host): Promise<readonly ResourceTemplate[]> => [
  ...libraryTemplates,
  ...(await listOfferedTemplates(host)),
];

export const listResources = async (
  host: Host,
  { cursor }: { readonly cursor?: string | undefined } = {},
): Promise<ResourcePage> => {
  const start = cursor === undefined ? 0 : Number(/^\d{1,9}$/.exec(cursor)?.[0] ?? Number.NaN);
  if (!Number.isInteger(start))
    throw new CoordinatorError(
      "USAGE",
      "Cannot list the resources: the cursor is unknown, expected the one of the previous page",
    );
  const servers = host.configuration.servers.filter(({ isEnabled }) => isEnabled);
  const skills = await listSkillResources(host);
  const packages = toPackageNames(host.identifiers);
  const asIs = (resource: LibraryResource) => async (): Promise<LibraryResource> => resource;
  const entries = [
    ...tops.map(asIs),
    ...servers.map(({ name, description }) => async () => {
      const identifier = host.identifiers.get(name) ?? name;
      const listing = await host.upstreams.peek(name).catch(() => undefined);
      const count =
        listing === undefined ? "its tools are listed when it is read" : toCount(listing.tools.length);
      return {
        uri: toAddress(`servers/${identifier}/README.md`),
        name: identifier,
        description: `${description ?? `The server "${name}"`}: ${count}; in Python mcp_tools.${packages.get(name)}`,
        mimeType: mimeTypes.markdown,
      };
    }),
    ...skills.map(asIs),
    ...(await listOfferedResources(host)).map(asIs),
  ];
  const resources = await Promise.all(entries.slice(start, start + pageSize).map((make) => make()));
  const next = start + pageSize;
  return { resources, nextCursor: next < entries.length ? String(next) : undefined };
};

const toCount = (count: number): string => (count === 1 ? "1 tool" : `${count} tools`);

const tops: readonly LibraryResource[] = [
  {
    uri: toAddress("manual/typescript"),
    name: "manual",
    description: "How to write programs in TypeScript, and which servers are connected",
    mimeType: mimeTypes.markdown,
  },
  {
    uri: toAddress("manual/python"),
    name: "manual-python",
    description: "How to write programs in Python, and which servers are connected",
    mimeType: mimeTypes.markdown,
  },
  {
    uri: toAddress("servers/README.md"),
    name: "servers",
    description: "The servers as TypeScript modules",
    mimeType: mimeTypes.markdown,
  },
  {
    uri: toAddress("mcp_tools/README.md"),
    name: "mcp_tools",
    description: "The servers as Python packages",
    mimeType: mimeTypes.markdown,
  },
];

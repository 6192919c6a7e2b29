// Lists the readable files of the library: a page per server, without starting any.
import { toPackageNames } from "../../codegen/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { listSkillResources } from "../skills/skill-resources.js";
import { libraryTemplates, mimeTypes, toAddress } from "./library-address.js";
import type { LibraryResource, ResourcePage, ResourceTemplate } from "./library-verbs.js";

const pageSize = 100;

export const listResourceTemplates = async (): Promise<readonly ResourceTemplate[]> => libraryTemplates;

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
  const entries: readonly (() => LibraryResource | Promise<LibraryResource>)[] = [
    ...tops.map((resource) => () => resource),
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
    ...skills.map((resource) => () => resource),
  ];
  const resources = await Promise.all(entries.slice(start, start + pageSize).map((make) => make()));
  const next = start + pageSize;
  return { resources, ...(next < entries.length ? { nextCursor: String(next) } : {}) };
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

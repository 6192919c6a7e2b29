// A small npm registry on loopback: it serves packed servers, and can hold, cut off or break a download.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/packages/${name}`, import.meta.url));

const toField = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;

/** One file as a tar archive. */
const toEntry = (path: string, content: Buffer): readonly Buffer[] => {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(toField(0o755, 8), 100);
  header.write(toField(0, 8), 108);
  header.write(toField(0, 8), 116);
  header.write(toField(content.length, 12), 124);
  header.write(toField(0, 12), 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  header.write(
    toField(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
};

const pack = (files: Readonly<Record<string, Buffer>>): Buffer =>
  gzipSync(
    Buffer.concat([
      ...Object.entries(files).flatMap(([name, content]) => toEntry(`package/${name}`, content)),
      Buffer.alloc(1024),
    ]),
  );

export interface PublishOptions {
  readonly version?: string;
  /** Fields of its package.json, in addition to those of every package. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Its program, if it is not a server. */
  readonly program?: string;
  /** A text that makes the archive differ. */
  readonly text?: string;
}

interface Published {
  readonly manifest: Record<string, unknown>;
  readonly archive: Buffer;
}

export const openNpmRegistry = async () => {
  const packages = new Map<string, Map<string, Published>>();
  /** What is done to the next download of a package. */
  const holds = new Map<string, { promise: Promise<void>; onRequest: () => void }>();
  const cuts = new Set<string>();
  const downloads: string[] = [];
  let url = "";

  const sendArchive = async (name: string, version: string, response: ServerResponse): Promise<void> => {
    const archive = packages.get(name)?.get(version)?.archive ?? Buffer.alloc(0);
    downloads.push(`${name}@${version}`);
    const held = holds.get(name);
    held?.onRequest();
    await held?.promise;
    response.writeHead(200, { "content-length": archive.length });
    if (!cuts.delete(name)) {
      response.end(archive);
      return;
    }
    response.write(archive.subarray(0, archive.length / 2), () => response.destroy());
  };
  const server = createServer((request, response) => {
    const [name = "", version] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const versions = packages.get(name);
    if (versions === undefined) {
      response.writeHead(404).end("{}");
      return;
    }
    if (version !== undefined) {
      void sendArchive(name, version.replace(/\.tgz$/, ""), response);
      return;
    }
    const latest = [...versions.keys()].at(-1);
    const manifests = Object.fromEntries([...versions].map(([key, { manifest }]) => [key, manifest]));
    response.end(JSON.stringify({ name, "dist-tags": { latest }, versions: manifests }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);

  const publish = (
    name: string,
    { version = "1.0.0", fields = {}, text = "", program }: PublishOptions = {},
  ): void => {
    const own = {
      name,
      version,
      type: "module",
      bin: { [name.replace(/^@.*\//, "")]: "server.mjs" },
      ...fields,
    };
    const archive = pack({
      "package.json": Buffer.from(JSON.stringify(own)),
      "server.mjs": program === undefined ? fixture("server.mjs") : Buffer.from(program),
      "install.mjs": fixture("install.mjs"),
      "text.txt": Buffer.from(text),
    });
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const hasInstallScript = Object.hasOwn(own as object, "scripts") ? { hasInstallScript: true } : {};
    const dist = { tarball: `${url}${name}/-/${version}.tgz`, integrity };
    const versions = packages.get(name) ?? new Map<string, Published>();
    packages.set(name, versions.set(version, { manifest: { ...own, ...hasInstallScript, dist }, archive }));
  };
  /** Holds every download of a package until it is released. `asked` resolves with the first of them. */
  const hold = (name: string) => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    holds.set(name, { promise: held.promise, onRequest: asked.resolve });
    onTestFinished(() => held.resolve());
    const release = (): void => {
      holds.delete(name);
      held.resolve();
    };
    return { asked: asked.promise, release };
  };
  return { url, publish, hold, cutOff: (name: string) => cuts.add(name), downloads, close };
};

// A small index of Python packages on loopback: it serves one server as a wheel.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";
import { onTestFinished } from "vitest";

/** An archive whose files are not compressed. */
const zip = (files: Readonly<Record<string, string>>): Buffer => {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), content]);
    bodies.push(body);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), fields, place, Buffer.from(name)]));
    offset += body.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(entries).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...entries, end]);
};

const toWheel = (name: string, version: string): Buffer => {
  const module = name.replaceAll("-", "_");
  const facts = `${module}-${version}.dist-info`;
  const files = {
    [`${module}.py`]: readFileSync(new URL("../fixtures/packages/server.py", import.meta.url), "utf8"),
    [`${facts}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${facts}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${facts}/entry_points.txt`]: `[console_scripts]\n${name} = ${module}:main\n`,
  };
  const record = [...Object.keys(files), `${facts}/RECORD`].map((path) => `${path},,`).join("\n");
  return zip({ ...files, [`${facts}/RECORD`]: `${record}\n` });
};

/** The URL of an index with one package. */
export const openPythonIndex = async (name: string, version: string): Promise<string> => {
  const wheel = toWheel(name, version);
  const file = `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`;
  const hash = createHash("sha256").update(wheel).digest("hex");
  const server = createServer(({ url }, response) => {
    if (url === `/simple/${name}/`) {
      response.setHeader("content-type", "text/html");
      response.end(`<a href="/${file}#sha256=${hash}">${file}</a>`);
    } else if (url === `/${file}`) response.end(wheel);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`;
};

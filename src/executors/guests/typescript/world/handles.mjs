// Values stored on the host: a program holds handles, reads parts of them, and passes them on as if they were the values.
import { btoa } from "./encoding.mjs";
import { toBytes, toLatin1 } from "./files.mjs";
import { createPaginate, rows } from "./rows.mjs";
import { marking } from "./to-json.mjs";

const { defineProperty, freeze } = Object;
const StringOf = String;
const pageSize = 500;

/** The server that answers, by handle. Not a field, so that printing a handle shows only its facts. */
const servers = new WeakMap();

/** A value stored on the host. As a tool argument it stands for its content. */
export class ValueHandle {
  constructor(server, facts) {
    marking.hasHandles = true;
    servers.set(this, server);
    for (const name of Object.keys(facts))
      defineProperty(this, name, { value: facts[name], enumerable: true });
  }

  peek() {
    return servers.get(this).peek(idOf(this));
  }

  page(options) {
    return servers.get(this).page(idOf(this), options);
  }

  query(question) {
    return servers.get(this).query(idOf(this), question);
  }

  /** Fetches the whole value. */
  load() {
    return servers.get(this).load(idOf(this));
  }

  /** Items, fields or lines, fetched page by page. */
  async *[Symbol.asyncIterator]() {
    const count = /** @type {any} */ (this).count ?? 0;
    for (let offset = 0; offset < count; offset += pageSize) {
      const page = await this.page({ offset, limit: pageSize });
      yield* typeof page === "string" ? page.split("\n") : Array.isArray(page) ? page : Object.entries(page);
    }
  }

  toString() {
    return idOf(this);
  }

  toJSON() {
    if (marking.mark === "") return { ...this };
    marking.isUsed = true;
    return { [marking.mark]: idOf(this) };
  }
}

const idOf = (handle) => (typeof handle === "object" && handle !== null ? StringOf(handle.id) : handle);

const toHandle = (server, facts) => freeze(new ValueHandle(server, facts));

/** Bytes as Base64: only text leaves a program. */
const toData = (data) => {
  const bytes = toBytes(data);
  return bytes === undefined ? data : { base64: btoa(toLatin1(bytes)) };
};

/** The functions for programs, backed by the server that stands for stored values; `readSchema` asks for a tool's parameters. */
export const createHandles = (server, readSchema) => {
  const stored = async (id) => toHandle(server, await server.stored(idOf(id)));
  return freeze({
    rows,
    paginate: createPaginate(readSchema),
    toHandle: (facts) => toHandle(server, facts),
    keep: async (value) =>
      value instanceof ValueHandle
        ? value
        : toHandle(server, await server.keep(value === undefined ? null : value)),
    stored,
    // The former name of `stored`.
    kept: stored,
    peek: (handle) => server.peek(idOf(handle)),
    page: (handle, options) => server.page(idOf(handle), options),
    query: (handle, question) => server.query(idOf(handle), question),
    artifact: async (name, data, mimeType) =>
      toHandle(
        server,
        await server.artifact(name, toData(data), ...(mimeType === undefined ? [] : [mimeType])),
      ),
  });
};

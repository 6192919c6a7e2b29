// The part of `fs/promises` that a workspace supports: the host holds the files, and bytes cross the bridge as strings, one character each.
import { atob, btoa, TextDecoder } from "./encoding.mjs";

const { freeze } = Object;
const { fromCharCode } = String;
const { isView } = ArrayBuffer;
/** Characters converted at once: more would exceed the stack as arguments. */
const maxUnits = 4096;
/** Characters sent at once. */
const partLength = 1024 * 1024;
/** Max rereads of a large file that changes while it is read. */
const maxTries = 20;

/** The bytes of a buffer or a view of one; undefined for anything else. @type {(data: unknown) => Uint8Array | undefined} */
export const toBytes = (data) => {
  if (isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
};

/** One character for each byte. @param {Uint8Array} bytes */
export const toLatin1 = (bytes) => {
  const parts = [];
  for (let at = 0; at < bytes.length; at += maxUnits)
    parts.push(fromCharCode(...bytes.subarray(at, at + maxUnits)));
  return parts.join("");
};

/** The bytes of a file in a program: like Node's Buffer, they can be converted to text. */
class Bytes extends Uint8Array {
  toString(encoding = "utf8") {
    const wanted = `${encoding}`.toLowerCase();
    if (wanted === "latin1" || wanted === "binary" || wanted === "ascii") return toLatin1(this);
    if (wanted === "base64") return btoa(toLatin1(this));
    if (wanted === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    // Like Node, keeps a byte order mark.
    if (isUtf8(wanted)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
    throw new TypeError(`Cannot read as "${encoding}": expected "utf8", "latin1", "base64" or "hex"`);
  }
}

/** @param {string} text */
const fromLatin1 = (text) => {
  const bytes = new Bytes(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
};

/** @param {string} encoding */
const isUtf8 = (encoding) => encoding === "utf8" || encoding === "utf-8";

/**
 * What a program writes, as a string that crosses the bridge and its encoding.
 * @param {unknown} data
 * @param {string} encoding of a text
 * @returns {{ text: string; encoding: "utf8" | "latin1" } | undefined} undefined for anything but text and bytes
 */
const toContent = (data, encoding) => {
  if (typeof data === "string") {
    const wanted = `${encoding}`.toLowerCase();
    if (isUtf8(wanted)) return { text: data, encoding: "utf8" };
    if (wanted === "base64") return { text: atob(data), encoding: "latin1" };
    if (wanted === "hex") {
      const pairs = data.match(/[0-9a-f]{2}/gi) ?? [];
      return {
        text: pairs.map((pair) => fromCharCode(Number.parseInt(pair, 16))).join(""),
        encoding: "latin1",
      };
    }
    if (wanted === "latin1" || wanted === "binary" || wanted === "ascii")
      return {
        text: toLatin1(Uint8Array.from(data, (sign) => sign.charCodeAt(0) & 255)),
        encoding: "latin1",
      };
    throw new TypeError(`Cannot write as "${encoding}": expected "utf8", "latin1", "base64" or "hex"`);
  }
  const bytes = toBytes(data);
  return bytes === undefined ? undefined : { text: toLatin1(bytes), encoding: "latin1" };
};

/** An encoding may be passed alone or in the options. */
const encodingOf = (/** @type {any} */ options) => {
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding === null || encoding === "buffer" ? undefined : encoding;
};

const toKind = (/** @type {any} */ { kind }) => ({
  isFile: () => kind === "file",
  isDirectory: () => kind === "folder",
  isSymbolicLink: () => false,
});

const toStats = (/** @type {any} */ facts) => {
  const time = new Date(facts.modifiedAt);
  const milliseconds = time.getTime();
  return freeze({
    size: facts.bytes,
    mode: facts.kind === "file" ? 0o100600 : 0o040700,
    mtime: time,
    ctime: time,
    atime: time,
    birthtime: time,
    mtimeMs: milliseconds,
    ctimeMs: milliseconds,
    atimeMs: milliseconds,
    birthtimeMs: milliseconds,
    ...toKind(facts),
  });
};

const joinPath = (/** @type {string} */ folder, /** @type {string} */ name) =>
  folder === "" ? name : `${folder.replace(/\/+$/, "")}/${name}`;

/** @param {Record<string, (...values: any[]) => Promise<any>>} host */
export const createFiles = (host) => {
  /** The whole content as a string, from one version of the file. @type {(path: string, encoding: "utf8" | "latin1") => Promise<string>} */
  const read = async (path, encoding) => {
    for (let tries = 0; tries < maxTries; tries++) {
      const parts = [];
      let next = 0;
      let stamp;
      while (next !== null) {
        const part = await host.read(path, encoding, next, stamp);
        if (part === null) break;
        parts.push(part[0]);
        [, next, stamp] = part;
      }
      if (next === null) return parts.length === 1 ? parts[0] : parts.join("");
    }
    throw new Error(`Cannot read "${path}": it is changed faster than it can be read`);
  };

  /** Calls `send` with every chunk of a text, in order; no character is split. */
  const sendParts = async (
    /** @type {string} */ text,
    /** @type {(part: string) => Promise<unknown>} */ send,
  ) => {
    for (let at = 0; at < text.length; ) {
      const unit = text.charCodeAt(at + partLength - 1);
      const end = at + partLength + (unit >= 0xd800 && unit <= 0xdbff ? 1 : 0);
      await send(text.slice(at, end));
      at = end;
    }
  };

  const contentOf = (
    /** @type {string} */ path,
    /** @type {unknown} */ data,
    /** @type {unknown} */ options,
  ) => {
    const content = toContent(data, encodingOf(options) ?? "utf8");
    if (content !== undefined) return content;
    throw new TypeError(
      `Cannot write "${path}": expected a string or bytes; for other values use JSON.stringify, or workspace.writeJson`,
    );
  };

  const appendFile = async (path, data, options) => {
    const { text, encoding } = contentOf(path, data, options);
    if (text.length <= partLength) await host.append(path, text, encoding);
    else await sendParts(text, (part) => host.append(path, part, encoding));
  };

  const writeFile = async (path, data, options) => {
    const flag = options?.flag ?? "w";
    if (flag === "a") return appendFile(path, data, options);
    if (flag !== "w" && flag !== "wx")
      throw new TypeError(`Cannot write "${path}" with the flag "${flag}": expected "w", "wx" or "a"`);
    const { text, encoding } = contentOf(path, data, options);
    const isNew = flag === "wx";
    if (text.length <= partLength) {
      await host.write(path, text, encoding, isNew);
      return;
    }
    const upload = await host.startWrite(path, isNew);
    await sendParts(text, (part) => host.addPart(upload, part, encoding));
    await host.endWrite(upload);
  };

  const readFile = async (path, options) => {
    const encoding = encodingOf(options);
    if (encoding !== undefined && isUtf8(`${encoding}`.toLowerCase())) return read(path, "utf8");
    const bytes = fromLatin1(await read(path, "latin1"));
    return encoding === undefined ? bytes : bytes.toString(encoding);
  };

  const readdir = async (path, { withFileTypes = false, recursive = false } = /** @type {any} */ ({})) => {
    const found = await host.readdir(path, recursive);
    const { path: folder } = await host.stat(path);
    const skipped = folder === "" ? 0 : folder.length + 1;
    if (!withFileTypes) return found.map((facts) => facts.path.slice(skipped));
    return found.map((facts) => {
      const inner = facts.path.slice(skipped);
      const name = inner.slice(inner.lastIndexOf("/") + 1);
      const above = inner.slice(0, Math.max(0, inner.length - name.length - 1));
      return freeze({ name, parentPath: above === "" ? path : joinPath(path, above), ...toKind(facts) });
    });
  };

  const stat = async (path) => toStats(await host.stat(path));

  return freeze({
    readFile,
    writeFile,
    appendFile,
    readdir,
    stat,
    lstat: stat,
    access: async (path) => {
      await host.stat(path);
    },
    mkdir: async (path, options) => {
      await host.mkdir(path, options?.recursive === true);
    },
    rm: async (path, options) => {
      await host.rm(path, options?.recursive === true, options?.force === true);
    },
    rmdir: async (path) => {
      await host.rmdir(path);
    },
    unlink: async (path) => {
      await host.rm(path, false, false);
    },
    rename: async (from, to) => {
      await host.rename(from, to);
    },
    copyFile: async (from, to) => {
      await host.copyFile(from, to);
    },
    constants: freeze({ F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4 }),
  });
};

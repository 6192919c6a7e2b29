// Length-prefixed messages over a pipe, as in the Language Server Protocol.

const separator = "\r\n\r\n";
const maxHeaderBytes = 1024;

/** Encodes one message. */
export const toFrame = (message: unknown): Buffer => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${separator}`), body]);
};

/** Returns a function that takes chunks and emits every complete message. Throws on malformed input. */
export const createFrameReader = (
  onMessage: (message: unknown) => void,
  maxBytes: number,
): ((chunk: Buffer) => void) => {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let wanted = 0;
  return (chunk) => {
    chunks.push(chunk);
    buffered += chunk.length;
    if (buffered < wanted) return;
    let rest: Buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (;;) {
      const end = rest.indexOf(separator);
      const length =
        end === -1 ? Number.NaN : Number(/Content-Length: (\d+)/i.exec(rest.toString("latin1", 0, end))?.[1]);
      const isHeader =
        end === -1 ? rest.length <= maxHeaderBytes : end <= maxHeaderBytes && length <= maxBytes;
      if (!isHeader) throw new Error("Cannot read from the process: it sent malformed output");
      const start = end + separator.length;
      wanted = end === -1 ? 0 : start + length;
      if (end === -1 || rest.length < wanted) break;
      onMessage(JSON.parse(rest.toString("utf8", start, wanted)));
      rest = rest.subarray(wanted);
    }
    chunks = rest.length === 0 ? [] : [rest];
    buffered = rest.length;
  };
};

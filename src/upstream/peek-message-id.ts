// Reads the id of a JSON-RPC message from its two ends, for a message that was too long to store.

/** The id with its key, next to the version, as the first or last members of the message. */
const id = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
// bounded: the ends of a message are 256 bytes each
const atHead = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
// The last brace of a line closes the message itself, so what precedes it is not inside an inner object.
// bounded: the ends of a message are 256 bytes each
const atTail = new RegExp(String.raw`[,{]\s*${id}(?:\s*,\s*${version})?\s*\}\s*$`);

// bounded: the ends of a message are 256 bytes each
const atMethod = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?"method"`);

interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Whether it is a request or a notification, not an answer. */
export const isUnsolicited = (ends: Ends): boolean => atMethod.test(ends.head);

export const peekMessageId = (ends: Ends): string | number | undefined => {
  const found = atHead.exec(ends.head)?.[1] ?? atTail.exec(ends.tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
};

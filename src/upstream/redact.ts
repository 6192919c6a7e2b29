// Removes secrets from what a server says: our tokens from its answers, and configured values from its errors. Some tools echo request headers, and no secret may reach a program, a journal or a log.
import { CoordinatorError, type WiredDefinition } from "../contracts/index.js";

const mark = Buffer.from("[token]");
/** Tokens are recognized by their beginning, so that no choice of token makes the search slow. */
const maxPrefix = 256;
const minLength = 8;

const tokenCharacter = /[\w.~+/=-]/;
const isTokenByte = Array.from({ length: 256 }, (_, byte) => tokenCharacter.test(String.fromCharCode(byte)));

/** The forms of a token in JSON text: plain, and with escaped slashes. */
const toForms = (secrets: readonly string[]): readonly Buffer[] => {
  const written = secrets
    .filter((secret) => secret.length >= minLength)
    .flatMap((secret) => {
      const quoted = JSON.stringify(secret).slice(1, -1);
      return [quoted, quoted.replaceAll("/", "\\/")];
    });
  return [...new Set(written.map((text) => text.slice(0, maxPrefix)))].map((text) => Buffer.from(text));
};

const findFirst = (data: Buffer, forms: readonly Buffer[]): { at: number; length: number } | undefined => {
  let found: { at: number; length: number } | undefined;
  for (const form of forms) {
    const at = data.indexOf(form);
    if (at !== -1 && (found === undefined || at < found.at)) found = { at, length: form.length };
  }
  return found;
};

/** The number of bytes at the end that may be the beginning of a token. */
const countHeld = (data: Buffer, forms: readonly Buffer[]): number => {
  let held = 0;
  for (const form of forms)
    for (let length = Math.min(form.length - 1, data.length); length > held; length--)
      if (data.subarray(data.length - length).equals(form.subarray(0, length))) held = length;
  return held;
};

/** Filters the chunks of a stream. Without a chunk, it returns the bytes that were held back. */
export const createSecretFilter = (secrets: readonly string[]): ((part?: Uint8Array) => Buffer) => {
  const forms = toForms(secrets);
  let rest = Buffer.alloc(0);
  /** The rest of a long token is removed up to the first byte that cannot be part of a token. */
  let isInside = false;
  return (part) => {
    let data = part === undefined ? rest : Buffer.concat([rest, part]);
    const clean: Buffer[] = [];
    for (;;) {
      if (isInside) {
        const end = data.findIndex((byte) => isTokenByte[byte] !== true);
        isInside = end === -1;
        data = end === -1 ? Buffer.alloc(0) : data.subarray(end);
      }
      const found = findFirst(data, forms);
      if (found === undefined) break;
      clean.push(data.subarray(0, found.at), mark);
      data = data.subarray(found.at + found.length);
      isInside = found.length >= maxPrefix;
    }
    const held = part === undefined ? 0 : countHeld(data, forms);
    rest = data.subarray(data.length - held);
    return Buffer.concat([...clean, data.subarray(0, data.length - held)]);
  };
};

/** The body without these secrets. */
export const hideSecrets = (
  body: ReadableStream<Uint8Array>,
  secrets: readonly string[],
): ReadableStream<Uint8Array> => {
  if (secrets.length === 0) return body;
  const filter = createSecretFilter(secrets);
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        const clean = filter(part);
        if (clean.length > 0) controller.enqueue(clean);
      },
      flush: (controller) => {
        const last = filter();
        if (last.length > 0) controller.enqueue(last);
      },
    }),
  );
};

/** Shorter values ("1", "true", "debug") are not secrets, and replacing them would garble the text. */
const minValueLength = 6;

/** Replaces every configured variable and header value with its name in brackets. */
export const redact = (text: string, { target }: WiredDefinition): string => {
  const isHttp = target.kind !== "stdio";
  const values = Object.entries(isHttp ? target.headers : target.env).flatMap(([name, value]) =>
    // Hide "Bearer abc" as a whole and as "abc".
    [value, ...(isHttp ? value.split(/\s+/) : [])].map((secret) => ({ name, secret })),
  );
  return values
    .filter(({ secret }) => secret.length >= minValueLength && !/^(basic|bearer)$/i.test(secret))
    .sort((left, right) => right.secret.length - left.secret.length)
    .reduce((rest, { name, secret }) => rest.replaceAll(secret, `[${name}]`), text);
};

/** Removes the definition's values from an error. Errors that are not ours stay unchanged. */
export const redactError = (error: unknown, definition: WiredDefinition): unknown => {
  if (!(error instanceof CoordinatorError)) return error;
  const { code, message, hint, details } = error;
  const shown: unknown =
    details === undefined ? undefined : JSON.parse(redact(JSON.stringify(details), definition));
  return new CoordinatorError(code, redact(message, definition), {
    hint,
    details: shown,
    cause: error.cause,
  });
};

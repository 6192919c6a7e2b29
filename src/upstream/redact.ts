// Removes a definition's values from a text, so that a server's output cannot leak its secrets into our messages.
import { CoordinatorError, type WiredDefinition } from "../contracts/index.js";

/** Shorter values ("1", "true", "debug") are not secrets, and replacing them would garble the text. */
const minimumLength = 6;

/** Replaces every configured variable and header value with its name in brackets. */
export const redact = (text: string, { target }: WiredDefinition): string => {
  const isHttp = target.kind !== "stdio";
  const values = Object.entries(isHttp ? target.headers : target.env).flatMap(([name, value]) =>
    // Hide "Bearer abc" as a whole and as "abc".
    [value, ...(isHttp ? value.split(/\s+/) : [])].map((secret) => ({ name, secret })),
  );
  return values
    .filter(({ secret }) => secret.length >= minimumLength && !/^(basic|bearer)$/i.test(secret))
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

// Takes a definition's own values out of a text, so that what a server prints cannot carry its secrets into our messages.
import type { WiredDefinition } from "../contracts/index.js";

/** Shorter values ("1", "true", "debug") are no secrets, and replacing them would garble the text. */
const minimumLength = 6;

/** Replaces every configured variable and header value by its name in brackets. */
export const redact = (text: string, { target }: WiredDefinition): string => {
  const isHttp = target.kind !== "stdio";
  const values = Object.entries(isHttp ? target.headers : target.env).flatMap(([name, value]) =>
    // "Bearer abc" is hidden as a whole and as "abc".
    [value, ...(isHttp ? value.split(/\s+/) : [])].map((secret) => ({ name, secret })),
  );
  return values
    .filter(({ secret }) => secret.length >= minimumLength && !/^(basic|bearer)$/i.test(secret))
    .sort((left, right) => right.secret.length - left.secret.length)
    .reduce((rest, { name, secret }) => rest.replaceAll(secret, `[${name}]`), text);
};

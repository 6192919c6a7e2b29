// Limits on the images that a model is shown, from artifacts and returned values.

/** Formats that models read. */
export const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export const maxImages = 5;

/** Limit of all images together, before Base64. */
export const maxImageBytes = 4 * 1024 * 1024;

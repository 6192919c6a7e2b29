// Which images a model is shown, and how many: those of artifacts and those in a returned value.

/** What models read. */
export const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export const maxImages = 5;

/** Of all images together, before they are written as Base64. */
export const maxImageBytes = 4 * 1024 * 1024;

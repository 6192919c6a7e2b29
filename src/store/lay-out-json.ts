// JSON as people read it, where that is not much longer than the plain text: nested values could be indented without bound.

const maxLength = 64 * 1024;
const maxGrowth = 8;

export const layOutJson = (value: unknown): string => {
  const plain = JSON.stringify(value);
  if (plain.length > maxLength) return plain;
  const indented = JSON.stringify(value, undefined, 2);
  return indented.length <= maxGrowth * plain.length ? indented : plain;
};

// The version of this package, read from its package.json.
import { readFileSync } from "node:fs";

export const readVersion = (): string => {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};

// Writes a small package into a folder's node_modules, so that the bundle is easy to check.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export const installPackage = async (
  folder: string,
  manifest: { readonly name: string; readonly version?: string; readonly [field: string]: unknown },
  files: Readonly<Record<string, string>>,
): Promise<void> => {
  const home = join(folder, "node_modules", manifest.name);
  const all = { "package.json": JSON.stringify({ version: "1.0.0", ...manifest }), ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
};

// The files that a run leaves for people: outputs, images, tables.
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, type RunArtifact } from "../../contracts/index.js";
import { toBytes } from "../file-bytes.js";
import { parsePath } from "../workspaces/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";
import { isMissing } from "./run-folder.js";

/** One plain name. Throws PATH_DENIED or FILE_FAILED. */
const checkArtifact = (name: string): string => {
  const [only, ...more] = parsePath(name);
  if (only !== undefined && more.length === 0) return only;
  throw new CoordinatorError("FILE_FAILED", `Cannot keep "${name}": expected one name without folders`, {
    details: { errno: "EINVAL" },
  });
};

const artifactsOf = (folder: string): string => join(folder, "artifacts");

export const writeArtifact = async (
  folder: string,
  given: string,
  content: string | Uint8Array,
): Promise<RunArtifact> => {
  const name = checkArtifact(given);
  const bytes = toBytes(content);
  await mkdir(artifactsOf(folder), { recursive: true, mode: 0o700 });
  await writeFileAtomically(join(artifactsOf(folder), name), bytes);
  return { name, bytes: bytes.length };
};

/** Sorted by name. */
export const listArtifacts = async (folder: string): Promise<readonly RunArtifact[]> => {
  const names = await readdir(artifactsOf(folder)).catch(() => []);
  const found = names.sort().filter((name) => !name.endsWith(".draft"));
  return Promise.all(
    found.map(async (name) => ({ name, bytes: (await stat(join(artifactsOf(folder), name))).size })),
  );
};

export const readArtifact = async (folder: string, given: string): Promise<Uint8Array> => {
  const name = checkArtifact(given);
  try {
    return new Uint8Array(await readFile(join(artifactsOf(folder), name)));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CoordinatorError(
      "FILE_FAILED",
      `Cannot read the artifact "${name}": the run has none of that name`,
      {
        details: { errno: "ENOENT" },
      },
    );
  }
};

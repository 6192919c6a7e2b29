// Configurations with the servers that the reference documents name, simulated by the fixture `reference-server`.
import { fixturePath } from "./fixture-servers.js";

/** In the order in which the documents list them. */
const standInNames = [
  ...["chroma", "arxiv", "docker", "k8s", "slack", "gdrive", "filesystem", "postgres", "sheets"],
  ...["semantic_parser", "supabase", "github", "context7"],
] as const;

/** Entries of a configuration; with a file, each call is a JSON line in it. */
export const referenceServers = (
  names: readonly string[] = standInNames,
  logFile?: string,
): Record<string, { command: string; args: string[] }> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        command: process.execPath,
        args: [fixturePath("reference-server"), name, ...(logFile === undefined ? [] : ["--log", logFile])],
      },
    ]),
  );

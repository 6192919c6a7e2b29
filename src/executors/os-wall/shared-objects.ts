// The libraries that this Node is linked with: what it needs to start in an empty root.
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";

let known: readonly string[] | undefined;

/** Paths as the loader looks for them, without addons. */
export const listSharedObjects = (): readonly string[] => {
  known ??= read();
  return known;
};

const read = (): readonly string[] => {
  // The types do not know the field yet.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean | undefined } = process.report;
  const { excludeNetwork = false } = report;
  // Without this the report asks the name service for every address of this machine.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as { readonly sharedObjects?: readonly string[] | undefined };
  report.excludeNetwork = excludeNetwork;
  return (sharedObjects ?? []).filter(
    (path) => isAbsolute(path) && !path.endsWith(".node") && existsSync(path),
  );
};

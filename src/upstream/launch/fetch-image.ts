// Pulls a container image that is not there yet; the container itself is started as its command is written.
import type { FetchJob } from "./fetch-job.js";
import type { Fetched } from "./fetch-npm.js";
import { runInstaller, runInstallerWell } from "./run-installer.js";

export const fetchImage = async (job: FetchJob): Promise<Fetched> => {
  const [image = ""] = job.specs;
  const inspect = () => runInstaller(job, ["image", "inspect", "--format", "{{.Id}}", image], job.env);
  let found = await inspect();
  if (found.exitCode !== 0 || job.refreshBeforeMs !== undefined) {
    await runInstallerWell(job, ["pull", "--quiet", ...job.flags, image]);
    found = await inspect();
  }
  return {
    name: image,
    obstacle: "a container is started by its own command",
    version: found.stdout
      .trim()
      .replace(/^sha256:/, "")
      .slice(0, 12),
  };
};

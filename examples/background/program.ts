// Waits for a job. It runs in the background, and its output can be read meanwhile.
import { getJob, startJob } from "servers/jobs";

const { id } = await startJob({ name: "render", durationMs: 800 });
let job = await getJob({ id });
while (job.status !== "done") {
  console.log(`${job.progress} %`);
  await sleep(100);
  job = await getJob({ id });
}
return job.result;

// Starts two jobs and polls them until both are done. The model waits for one answer, not for every poll.
import { getJob, startJob } from "servers/jobs";

const finish = async (name: string, durationMs: number) => {
  const { id } = await startJob({ name, durationMs });
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const job = await getJob({ id });
    console.log(`${name}: ${job.status}, ${job.progress} %`);
    if (job.status === "done") return job.result;
    await sleep(wait);
  }
};

return await Promise.all([finish("report", 600), finish("appendix", 300)]);

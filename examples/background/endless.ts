// Never ends by itself.
import { getJob, startJob } from "servers/jobs";

const { id } = await startJob({ name: "endless", durationMs: 60_000 });
for (;;) {
  const { progress } = await getJob({ id });
  console.log(`${progress} %`);
  await sleep(50);
}

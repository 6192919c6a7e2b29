// Quality and times of one ranked run, as a row of named figures.

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

const percentile = (numbers, share) => {
  const sorted = [...numbers].sort((one, two) => one - two);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

const recall = (ranked, relevant, depth) =>
  ranked.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;

const discountedGain = (ranked, relevant, depth) => {
  const gain = (place) => 1 / Math.log2(place + 2);
  const got = ranked
    .slice(0, depth)
    .reduce((sum, id, place) => sum + (relevant.has(id) ? gain(place) : 0), 0);
  const ideal = Array.from({ length: Math.min(depth, relevant.size) }, (_, place) => gain(place));
  return got / ideal.reduce((sum, number) => sum + number, 0);
};

/** A row: counts and times always, quality when the queries say which tools are relevant. */
export const measureRun = (label, { tools, queries, answers, times }) => {
  const rankedBy = new Map(answers.map(({ id, ranked }) => [id, ranked]));
  const labelled = queries
    .filter(({ relevant }) => Array.isArray(relevant) && relevant.length > 0)
    .map(({ id, relevant }) => ({ ranked: rankedBy.get(id) ?? [], relevant: new Set(relevant) }));
  const quality = (measure) =>
    labelled.length === 0
      ? "-"
      : mean(labelled.map(({ ranked, relevant }) => measure(ranked, relevant))).toFixed(3);
  return {
    set: label,
    tools: String(tools.length),
    queries: String(queries.length),
    "recall@1": quality((ranked, relevant) => recall(ranked, relevant, 1)),
    "recall@5": quality((ranked, relevant) => recall(ranked, relevant, 5)),
    "recall@10": quality((ranked, relevant) => recall(ranked, relevant, 10)),
    "nDCG@10": quality((ranked, relevant) => discountedGain(ranked, relevant, 10)),
    "index ms (cold)": times.firstIndexMs.toFixed(0),
    "index ms": times.indexMs.toFixed(0),
    "query p95 ms (cold)": percentile(times.firstQueryMs, 0.95).toFixed(2),
    "query p50 ms": percentile(times.queryMs, 0.5).toFixed(2),
    "query p95 ms": percentile(times.queryMs, 0.95).toFixed(2),
  };
};

// Our own sandboxes, each as an engine of the benchmark.
import { defaultLimits } from "../../../dist/contracts/index.js";
import { openExecutors } from "../../../dist/executors/index.js";

const settings = {
  executor: "auto",
  jitless: false,
  python: { preload: ["numpy", "pandas", "sklearn"] },
  cacheFolder: "",
};

const toHost = (tools) => ({
  call: async ({ tool, argumentsJson }) => {
    try {
      const value = await tools[tool](JSON.parse(argumentsJson)[0]);
      return { status: "answered", format: "json", body: JSON.stringify(value) };
    } catch (error) {
      return { status: "failed", name: "ToolError", code: "TOOL_FAILED", message: error.message };
    }
  },
});

const toCode = {
  typescript: (program) => `export default async () => {${program}\n}`,
  python: (program) => program,
};

const toValue = (outcome) => {
  if (outcome.status === "completed")
    return outcome.valueJson === undefined ? null : JSON.parse(outcome.valueJson);
  throw new Error(outcome.status === "stopped" ? `stopped: ${outcome.reason}` : outcome.failure.message);
};

/** If libraries are preloaded for Python programs, there is a separate row with them. */
const withLibraries = {
  python: ["python", "python + pandas"],
  container: ["container", "container + pandas"],
};

/** Opens one of our sandboxes. The name includes the libraries that its programs need: "python + pandas". */
export const openOurs = async (name, language, limits = {}) => {
  const all = { ...defaultLimits, ...limits };
  const [executorName, ...libraries] = name.split(" + ");
  const executors = openExecutors({ limits: all, settings });
  const { executor } = await executors.choose(language, executorName);
  const run = async (program, tools) =>
    toValue(
      await executor.run({
        language,
        code: toCode[language](program),
        files: [],
        libraries,
        globals: { tools: "tools" },
        host: toHost(tools),
        limits: all,
      }),
    );
  return { executor, run, close: () => executors.close() };
};

const toEngines = (executorName, language) =>
  ((language === "python" && withLibraries[executorName]) || [executorName]).map((name) => ({
    name,
    language,
    isOurs: true,
    open: ({ limits }) => openOurs(name, language, limits),
  }));

/** Every sandbox that can run here, once for each of its languages. Reports those that cannot. */
export const listOurs = async (say) => {
  const executors = openExecutors({ limits: defaultLimits, settings });
  const inspected = await executors.inspect();
  await executors.close();
  return inspected.flatMap(({ executor, report }) => {
    if (report.isAvailable)
      return executor.languages.flatMap((language) => toEngines(executor.name, language));
    say(`${executor.name} is left out: ${report.reason}`);
    return [];
  });
};

// Describes the result types that a run learned, so that the next program is written without another look.
import { renderPythonResult, renderResult } from "../../codegen/index.js";
import type { CallRecord, Language, Tool } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { nameInProgram } from "./to-search-hit.js";

const maxTools = 5;
/** Maximum characters of one type. */
const maxLength = 300;

/** A text or a number needs no description: whoever printed it has seen it. */
const isStructured = ({ learned }: Tool): boolean =>
  /"type":"(?:object|array)"/.test(JSON.stringify(learned?.schema ?? {}));

/** One line for each tool that nothing was known of before. To be called before the shapes are written. */
export const describeLearned = async (
  host: Host,
  language: Language,
  calls: readonly CallRecord[],
): Promise<readonly string[]> => {
  const answered = calls.filter(({ status, isReplayed }) => status === "answered" && isReplayed !== true);
  if (answered.length === 0) return [];
  const tools = (await host.shapes.listNew(answered)).filter(isStructured);
  const render = language === "python" ? renderPythonResult : renderResult;
  const lines = tools
    .slice(0, maxTools)
    .map((tool) => `${nameInProgram(host, language, tool)} returns ${render({ tool, maxLength })}`);
  return lines.length === 0 ? [] : ["Learned from these answers, for the next program:", ...lines];
};

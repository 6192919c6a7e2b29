// Renders skills for people: a list, one in full, a test result.
import type { ReviewedSkill, SkillDescription, SkillSummary, SkillTest } from "../../../coordinator/index.js";
import type { Screen } from "../screen.js";
import { toOneLine } from "./plain-text.js";

/** Without signatures, the hashes in its folder tell whether it was edited. */
const toMark = ({ isEdited, integrity }: SkillSummary): readonly string[] => {
  if (integrity === "signed") return [];
  if (integrity === undefined) return isEdited ? ["edited"] : [];
  return [integrity === "edited" ? "edited outside" : integrity];
};

const toState = (skill: SkillSummary): string => [skill.state, ...toMark(skill)].join(", ");

/** Everything that is signed with it, because a person cannot judge what is not shown. */
export const printReview = (screen: Screen, { path, version, description, files }: ReviewedSkill): void => {
  screen.print(screen.style("bold", toOneLine(`${path} v${version}`)));
  screen.print(`  ${toOneLine(description)}`);
  for (const { file, source, integrity } of files) {
    screen.print("");
    screen.print(screen.style("bold", toOneLine(`skills/${file} (${integrity})`)));
    screen.print(screen.plain(source).trimEnd());
  }
  screen.print("");
};

export const printSkills = (screen: Screen, skills: readonly SkillSummary[]): void => {
  const rows = skills.map((skill) => [
    skill.path,
    `v${skill.version}`,
    skill.language,
    toState(skill),
    `${skill.uses}`,
    skill.description,
  ]);
  screen.table(rows, { head: ["SKILL", "", "LANGUAGE", "STATE", "USES", "DESCRIPTION"] });
};

export const printSkill = (screen: Screen, skill: SkillDescription): void => {
  const { path, version, versions, language, description, tags } = skill;
  screen.print(screen.style("bold", toOneLine(`${path} v${version}`)));
  screen.print(`  ${toOneLine(description)}`);
  const facts = [
    ["language", language],
    ["versions", versions.join(", ")],
    ["state", toState(skill)],
    ["uses", String(skill.uses)],
    ...(tags.length === 0 ? [] : [["tags", tags.join(", ")]]),
    ["calls", skill.pins.map(({ server, tool }) => `${server}.${tool}`).join(", ") || "no tools"],
    ...(skill.changedTools.length === 0 ? [] : [["changed", skill.changedTools.join(", ")]]),
    ["test", skill.hasTest ? "a recorded run" : "simulated servers"],
    ...(skill.source === undefined
      ? []
      : [["from", [skill.source.kind, skill.source.runId ?? ""].join(" ").trim()]]),
  ];
  for (const [name = "", value = ""] of facts) screen.print(`  ${name.padEnd(9)} ${toOneLine(value)}`);
  for (const line of [skill.importLine, skill.example])
    screen.print(screen.style("cyan", screen.plain(`  ${line}`)));
  for (const { severity, file, line, message } of skill.diagnostics)
    screen.note(
      `${screen.styleNote(severity === "error" ? "red" : "yellow", severity)} ${toOneLine(`${file ?? ""} line ${line}: ${message}`)}`,
    );
  screen.print("");
  screen.print(screen.plain(skill.code).trimEnd());
};

export const printTest = (screen: Screen, name: string, test: SkillTest): void => {
  const by = { cassette: "its recorded run", simulation: "simulated servers", recording: "the real servers" };
  const verdict = test.isPassed ? screen.style("green", "passed") : screen.style("red", "failed");
  screen.print(`${verdict} ${toOneLine(name)} against ${by[test.by]}`);
  if (test.reason !== undefined) screen.print(`  ${toOneLine(test.reason)}`);
};

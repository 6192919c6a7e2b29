// The function of a skill: its name, its typed parameters and how to call it.
import type { JsonObject } from "../../contracts/index.js";

export interface SkillFunction {
  /** Its name in the module; `isDefault` if it is the default export. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly isAsync: boolean;
  /** One object of named values, or positional values in the order of the schema's properties. */
  readonly takes: "object" | "values";
  readonly parameters: JsonObject;
  /** One line, as written in the module. */
  readonly signature: string;
  /** Its doc comment. */
  readonly description: string;
}

/** `research-pipeline` → `researchPipeline`, in Python `research_pipeline`. */
export const toFunctionName = (skill: string, language: "typescript" | "python"): string => {
  const words = skill.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name =
    language === "python"
      ? words.join("_")
      : words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  return /^\d/.test(name) ? `_${name}` : name;
};

export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

// Reads the `undo` section of a policy: the inverse call of each tool that writes.
import { isJsonObject, type Json, type JsonObject } from "../../contracts/index.js";
import type { DocumentPath } from "../parse-policy.js";
import { parseTemplate, type Template, TemplateError, type TemplateSource } from "./template.js";

/** A call whose arguments are a template. */
export interface TemplateCall {
  /** `server.tool` */
  readonly name: string;
  readonly with: Template;
}

export interface UndoRule {
  /** The tool that writes: `server.tool`. */
  readonly name: string;
  readonly inverse: TemplateCall;
  /** A read before the write. Its answer is `$before`. */
  readonly before?: TemplateCall | undefined;
  /** A read before the inverse call, and what its answer must contain. */
  readonly check?:
    | (TemplateCall & {
        readonly expect: readonly { readonly path: readonly string[]; readonly value: Template }[];
      })
    | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export interface UndoReader {
  readonly report: (path: DocumentPath, message: string) => void;
  readonly checkKeys: (value: JsonObject, known: readonly string[], path: DocumentPath) => void;
  readonly file?: string | undefined;
  readonly lineOf?: ((path: DocumentPath) => number | undefined) | undefined;
}

const maxRules = 1000;
const always: readonly TemplateSource[] = ["answer", "arguments"];

export const readUndo = (section: Json | undefined, reader: UndoReader): readonly UndoRule[] => {
  const { report, checkKeys } = reader;
  if (section === undefined) return [];
  if (!isJsonObject(section)) {
    report(["undo"], 'is not an object like { "github.create_issue": { call, with } }');
    return [];
  }
  const readTemplate = (value: Json, path: DocumentPath, sources: readonly TemplateSource[]): Template => {
    try {
      return parseTemplate(value, sources);
    } catch (thrown) {
      if (!(thrown instanceof TemplateError)) throw thrown;
      report(path, thrown.message);
      return { kind: "value", value: null };
    }
  };
  const readCall = (
    value: JsonObject,
    path: DocumentPath,
    sources: readonly TemplateSource[],
  ): TemplateCall | undefined => {
    const { call, with: given = {} } = value;
    const name = typeof call === "string" && isToolName(call) ? call : undefined;
    if (name === undefined) report([...path, "call"], 'is not the name of a tool like "server.tool"');
    if (!isJsonObject(given)) report([...path, "with"], "is not an object with arguments");
    if (name === undefined || !isJsonObject(given)) return undefined;
    return { name, with: readTemplate(given, [...path, "with"], sources) };
  };
  const readCheck = (value: Json, path: DocumentPath, sources: readonly TemplateSource[]) => {
    if (!isJsonObject(value)) {
      report(path, "is not an object with call, with and expect");
      return undefined;
    }
    checkKeys(value, ["call", "with", "expect"], path);
    const call = readCall(value, path, sources);
    const { expect } = value;
    if (!isJsonObject(expect) || Object.keys(expect).length === 0) {
      report([...path, "expect"], "is not an object with fields of the answer and their values");
      return undefined;
    }
    const fields = Object.entries(expect).map(([name, field]) => ({
      path: name.split("."),
      value: readTemplate(field, [...path, "expect", name], sources),
    }));
    return call && { ...call, expect: fields };
  };

  const entries = Object.entries(section);
  if (entries.length > maxRules)
    report(["undo"], `has ${entries.length} entries, expected at most ${maxRules}`);
  return entries.slice(0, maxRules).flatMap(([name, value]): readonly UndoRule[] => {
    const path = ["undo", name];
    if (!isToolName(name)) report(path, 'is not the name of one tool like "server.tool"');
    if (!isJsonObject(value)) {
      report(path, "is not an object with call and with");
      return [];
    }
    checkKeys(value, ["call", "with", "before", "check"], path);
    const { before: read, check: compared } = value;
    if (read !== undefined && !isJsonObject(read))
      report([...path, "before"], "is not an object with call and with");
    if (isJsonObject(read)) checkKeys(read, ["call", "with"], [...path, "before"]);
    const before = isJsonObject(read) ? readCall(read, [...path, "before"], ["arguments"]) : undefined;
    const sources: readonly TemplateSource[] = read === undefined ? always : [...always, "before"];
    const inverse = readCall(value, path, sources);
    const check = compared === undefined ? undefined : readCheck(compared, [...path, "check"], sources);
    if (inverse === undefined) return [];
    return [{ name, inverse, before, check, file: reader.file, line: reader.lineOf?.(path) }];
  });
};

const isToolName = (text: string): boolean => /^[^.*]+\..*[^.*]$/.test(text) && text.length <= 500;

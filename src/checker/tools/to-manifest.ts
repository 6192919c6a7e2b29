// The uses of tools as a manifest: what a program can call, known before it runs.
import type { Json } from "../../contracts/index.js";
import type { EffectManifest, ManifestCall } from "../check.js";
import type { Syntax } from "../syntax/scope.js";
import { bindValues } from "./bind-values.js";
import type { ToolCall, ToolUses } from "./find-tool-uses.js";
import { toJsonValue } from "./read-literal.js";

const longestConstant = 200;

const readConstants = (syntax: Syntax, call: ToolCall): ReadonlyMap<string, Json> => {
  const constants = new Map<string, Json>();
  const bound = bindValues(syntax, call);
  if (bound.value?.kind !== "object") return constants;
  for (const [name, { value }] of bound.value.fields) {
    const json = toJsonValue(value);
    if (json !== undefined && JSON.stringify(json).length <= longestConstant) constants.set(name, json);
  }
  return constants;
};

/** One entry a tool, in the order of the text. */
export const toManifest = (syntax: Syntax, uses: ToolUses): EffectManifest => {
  const found = new Map<string, ManifestCall>();
  const add = (call: ManifestCall): void => {
    const key = `${call.server}\n${call.tool}`;
    const before = found.get(key);
    if (before === undefined) {
      found.set(key, call);
      return;
    }
    const same = Object.entries(before.constants).filter(
      ([name, value]) => JSON.stringify(call.constants[name]) === JSON.stringify(value),
    );
    found.set(key, { ...before, count: "many", constants: Object.fromEntries(same) });
  };
  for (const call of uses.calls) {
    const { server, name, isReadOnly } = call.tool;
    const constants = Object.fromEntries(readConstants(syntax, call));
    add({ server, tool: name, isReadOnly, count: call.isMany ? "many" : "once", constants });
  }
  for (const { tool } of uses.values) {
    add({ server: tool.server, tool: tool.name, isReadOnly: tool.isReadOnly, count: "many", constants: {} });
  }
  return { calls: [...found.values()], hasDynamicCalls: uses.hasDynamicCalls };
};

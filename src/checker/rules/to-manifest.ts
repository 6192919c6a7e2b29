// Builds the manifest of a program: the tools it can call, known before it runs.
import type { Json, Tool } from "../../contracts/index.js";
import type { EffectManifest, ManifestCall } from "../check.js";
import { type KnownValue, toJsonValue } from "./known-value.js";

/** A call, in either language. */
export interface DeclaredCall {
  readonly tool: Tool;
  readonly isMany: boolean;
  /** The arguments as far as they are known. */
  readonly value: KnownValue | undefined;
}

export interface DeclaredUses {
  readonly calls: readonly DeclaredCall[];
  /** Tools that are passed on. */
  readonly values: readonly { readonly tool: Tool }[];
  readonly hasDynamicCalls: boolean;
}

const maxConstantLength = 200;

const readConstants = (value: KnownValue | undefined): ReadonlyMap<string, Json> => {
  const constants = new Map<string, Json>();
  if (value?.kind !== "object") return constants;
  for (const [name, field] of value.fields) {
    const json = toJsonValue(field.value);
    if (json !== undefined && JSON.stringify(json).length <= maxConstantLength) constants.set(name, json);
  }
  return constants;
};

/** One entry per tool, in source order. */
export const toManifest = (uses: DeclaredUses): EffectManifest => {
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
    const constants = Object.fromEntries(readConstants(call.value));
    add({ server, tool: name, isReadOnly, count: call.isMany ? "many" : "once", constants });
  }
  for (const { tool } of uses.values) {
    add({ server: tool.server, tool: tool.name, isReadOnly: tool.isReadOnly, count: "many", constants: {} });
  }
  return { calls: [...found.values()], hasDynamicCalls: uses.hasDynamicCalls };
};

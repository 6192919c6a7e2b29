// A model's endpoint on this machine that plays recorded answers; closed when the test has ended.
import { onTestFinished } from "vitest";

export interface ScriptStep {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  /** Played before the step, one per request. */
  readonly failures?: readonly {
    readonly status: number;
    readonly headers?: object;
    readonly body?: unknown;
  }[];
  /** Replaces the whole answer. */
  readonly body?: unknown;
}

/** One step per turn; a function gets the last tools' results. */
export type Script = readonly (ScriptStep | ((results: readonly string[]) => ScriptStep))[];

export interface ScriptedModel {
  readonly baseUrl: string;
  readonly requests: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: {
      readonly model: string;
      readonly messages: readonly unknown[];
      readonly tools: unknown;
      readonly max_tokens: number;
    };
  }[];
  readonly close: () => Promise<void>;
}

const path = new URL("../../benchmarks/eval/scripted-endpoint.mjs", import.meta.url).href;

export const openScriptedModel = async (script: Script): Promise<ScriptedModel> => {
  const { openScriptedEndpoint } = (await import(path)) as {
    openScriptedEndpoint: (findSteps: () => Script) => Promise<ScriptedModel>;
  };
  const model = await openScriptedEndpoint(() => script);
  onTestFinished(() => model.close());
  return model;
};

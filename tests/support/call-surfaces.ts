// Every surface through which a call can reach a server, for tests of rules that apply to all of them.
import type { OpenedCoordinator, RunRequest } from "../../src/index.js";

/** Calls a tool of the server `ledger` with one value. */
export type MakeCall = (
  coordinator: OpenedCoordinator,
  tool: string,
  value: string,
) => Promise<{ readonly code?: string | undefined; readonly message: string }>;

const toError = (result: {
  readonly error?: { readonly code?: string; readonly message: string } | undefined;
}) => ({
  code: result.error?.code,
  message: result.error?.message ?? "",
});
const runs =
  (request: (tool: string, value: string) => RunRequest): MakeCall =>
  async (coordinator, tool, value) =>
    toError(await coordinator.runCode(request(tool, value)));

/** Name → a function that makes a call through that surface. */
export const callSurfaces: Readonly<Record<string, MakeCall>> = {
  "a TypeScript program": runs((tool, value) => ({
    code: `return await ledger.${tool}({ value: "${value}" })`,
  })),
  "an unchecked program": runs((tool, value) => ({
    code: `return await ledger["${tool}"]({ value: "${value}" })`,
    isChecked: false,
  })),
  "a call by name": runs((tool, value) => ({
    code: `return await callMCPTool("ledger__" + "${tool}", { value: "${value}" })`,
  })),
  "a stored answer": runs((tool, value) => ({
    code: `return await ledger.${tool}.keep({ value: "${value}" })`,
  })),
  "a whole result": runs((tool, value) => ({
    code: `return await ledger.${tool}.raw({ value: "${value}" })`,
  })),
  "a Python program": runs((tool, value) => ({
    language: "python",
    code: `ledger.${tool}(value="${value}")`,
  })),
  "a session": runs((tool, value) => ({
    session: "one",
    code: `return await ledger.${tool}({ value: "${value}" })`,
  })),
  "a plan": runs((tool, value) => ({
    mode: "plan",
    code: `return await ledger.${tool}({ value: "${value}" })`,
  })),
  "a background run": async (coordinator, tool, value) => {
    const { runId } = await coordinator.startRun({
      code: `return await ledger.${tool}({ value: "${value}" })`,
    });
    const { result } = await coordinator.waitForRun({ runId });
    return toError(result ?? {});
  },
  "a skill": async (coordinator, tool, value) => {
    const code = `return await ledger["${tool}"]({ value: "default" })`;
    const skill = {
      name: `use-${tool}`,
      description: "Calls one tool.",
      code,
      parameters: { value: "default" },
    };
    const refused = await coordinator.saveSkill(skill).then(
      () => undefined,
      (error: Error) => error,
    );
    if (refused !== undefined) return refused;
    return toError(await coordinator.runSkill({ name: skill.name, parameters: { value } }));
  },
  "a direct call": async (coordinator, tool, value) =>
    coordinator.callTool({ server: "ledger", tool, arguments: { value } }).then(
      () => ({ message: "" }),
      (error: { code: string; message: string }) => error,
    ),
  "a call of a direct client": async (coordinator, tool, value) => {
    const session = await coordinator.openDirect({
      identity: { info: { name: "test", version: "1" }, capabilities: {} },
      protocol: "legacy",
      notify: () => {},
    });
    const { signal } = new AbortController();
    const request = { method: "tools/call", params: { name: tool, arguments: { value } } };
    try {
      const text = (await session.request({ ...request, signal, notify: () => {} })) ?? "{}";
      const { isError, content } = JSON.parse(text) as {
        readonly isError?: boolean;
        readonly content: readonly { readonly text: string }[];
      };
      return { message: isError === true ? (content[0]?.text ?? "") : "" };
    } catch (error) {
      return { message: (error as Error).message };
    } finally {
      await session.close();
    }
  },
};

// Asks an external detector for personal values: a command, an HTTP endpoint, or a function of the embedding program.
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import { oncePer, withinTime } from "../../contracts/index.js";
import type { DetectorRule, HiddenKind } from "../../policy/index.js";
import type { Host } from "../host/host.js";
import { readPolicies } from "./open-policies.js";

/** A span of a text, in UTF-16 units, and its kind. */
export interface DetectedValue {
  readonly start: number;
  readonly end: number;
  readonly kind: HiddenKind;
}

/** Finds personal values: one list for each text. */
export type Detect = (texts: readonly string[]) => Promise<readonly (readonly DetectedValue[])[]>;

const maxReplyBytes = 16 * 1024 * 1024;
const idleMs = 10_000;

/** A process that gets and writes JSON lines. It is started when it is needed, and ended when it is idle or has failed. */
const openCommand = ({ command = "", args, timeoutMs, file }: DetectorRule): Detect => {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  const start = (): ChildProcess => {
    if (child !== undefined) return child;
    const { PATH, HOME } = process.env;
    const cwd = file !== undefined && isAbsolute(file) ? dirname(file) : undefined;
    const started = spawn(command, args, { cwd, env: { PATH, HOME }, stdio: ["pipe", "pipe", "ignore"] });
    started.unref();
    for (const stream of [started.stdin, started.stdout])
      (stream as { unref?: () => void } | null)?.unref?.();
    // Without a listener, a broken pipe would end the host.
    started.stdin?.on("error", () => {});
    // One that does not notice the end of its input would outlive us.
    const kill = (): void => void started.kill("SIGKILL");
    process.once("exit", kill);
    const forget = (): void => {
      process.off("exit", kill);
      if (child === started) child = undefined;
    };
    started.on("error", forget).on("exit", forget);
    child = started;
    return started;
  };
  const ask = async (texts: readonly string[]): Promise<unknown> => {
    clearTimeout(idle);
    const on = start();
    const reply = new Promise<string>((resolve, reject) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      const settle = (work: () => void): void => {
        on.stdout?.off("data", onData);
        on.off("error", onEnd).off("exit", onEnd);
        work();
      };
      const onEnd = (): void => settle(() => reject(new Error("The detector ended")));
      const onData = (chunk: Buffer): void => {
        parts.push(chunk);
        bytes += chunk.length;
        if (bytes > maxReplyBytes) settle(() => reject(new Error("The detector's answer is too large")));
        else if (chunk.at(-1) === 10) settle(() => resolve(Buffer.concat(parts).toString("utf8")));
      };
      on.stdout?.on("data", onData);
      on.on("error", onEnd).on("exit", onEnd);
    });
    on.stdin?.write(`${JSON.stringify({ texts })}\n`);
    try {
      const { found } = JSON.parse(await withinTime(reply, { timeMs: timeoutMs })) as {
        readonly found?: unknown;
      };
      idle = setTimeout(end, idleMs).unref();
      return found;
    } catch (thrown) {
      // A late answer would be taken for that of the next question.
      end();
      throw thrown;
    }
  };
  return (texts) => {
    const next = turn.then(() => ask(texts));
    turn = next.catch(() => {});
    return next as ReturnType<Detect>;
  };
};

const openAddress =
  ({ url = "", timeoutMs }: DetectorRule): Detect =>
  async (texts) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ texts }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`The detector answered with ${response.status}`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxReplyBytes) throw new Error("The detector's answer is too large");
      parts.push(part);
    }
    const { found } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { readonly found?: unknown };
    return found as Awaited<ReturnType<Detect>>;
  };

const openDetector = oncePer((rule: DetectorRule) =>
  (rule.url === undefined ? openCommand : openAddress)(rule),
);
const maxFunctionMs = 60_000;

/** Undefined if there is none. Only the person's own policy and program name one: it gets personal values. */
export const findDetector = ({
  configuration,
  detect,
}: Pick<Host, "configuration" | "detect">): Detect | undefined => {
  if (detect !== undefined) return (texts) => withinTime(detect(texts), { timeMs: maxFunctionMs });
  const [document] = configuration.policies;
  const [policy] = readPolicies(configuration);
  if (policy?.detector === undefined || document?.isProject === true) return undefined;
  return openDetector(policy.detector);
};

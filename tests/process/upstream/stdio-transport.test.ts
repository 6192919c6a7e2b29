// Large answers arrive, those above the limit fail alone, and noise between messages is harmless.
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startProcess } from "../../../src/upstream/transport/stdio-process.js";
import { StdioTransport } from "../../../src/upstream/transport/stdio-transport.js";
import { stdioFixture } from "../../support/fixture-servers.js";
import { openTestUpstreams, readTextOf, textOf } from "../../support/test-upstreams.js";

const mebibyte = 1024 * 1024;

describe("StdioTransport", () => {
  it("fails a message to a process that reads no more only when the process has ended", async () => {
    const script = `require("fs").closeSync(0); console.log("closed"); setTimeout(() => process.exit(3), 200)`;
    const server = startProcess({ command: process.execPath, args: ["-e", script], env: {} });
    await once(server.child.stdout as Readable, "data");
    const transport = new StdioTransport(server, mebibyte, () => {});
    await transport.start();
    await expect(transport.send({ jsonrpc: "2.0", id: 1, method: "ping" })).rejects.toThrow("EPIPE");
    expect(server.child.exitCode).toBe(3);
  });

  it("receives an answer of 25 MB", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo")] });
    const result = await upstreams.call({ server: "echo", tool: "big", arguments: { megabytes: 25 } });
    const rows = JSON.parse(String(await readTextOf(result)));
    expect(rows).toHaveLength(25 * 1024);
    expect(new Set(rows)).toEqual(new Set(["x".repeat(1021)]));
  });

  it.each(["echo", "modern", "legacy-v1"])("sends and receives a large argument with %s", async (server) => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture(server)] });
    const text = "äöü€𝄞".repeat(100_000);
    expect(await readTextOf(await upstreams.call({ server, tool: "echo", arguments: { text } }))).toBe(text);
  });

  it.each(["echo", "modern", "legacy-v1"])(
    "fails only the call whose answer from %s is too large",
    async (server) => {
      const upstreams = await openTestUpstreams({
        definitions: [stdioFixture(server)],
        maxAnswerBytes: mebibyte,
      });
      const echo = (text: string) => upstreams.call({ server, tool: "echo", arguments: { text } });
      const [before, large, beside] = await Promise.allSettled([
        echo("before"),
        echo("x".repeat(2 * mebibyte)),
        echo("beside"),
      ]);
      expect(before).toMatchObject({ status: "fulfilled" });
      expect(beside).toMatchObject({ status: "fulfilled" });
      expect(large).toMatchObject({
        status: "rejected",
        reason: {
          code: "LIMIT_ANSWER",
          message: `Cannot call "echo" of "${server}": the answer is larger than 1048576 bytes, the limit "answerBytes"`,
        },
      });
      expect(textOf(await echo("after"))).toBe("after");
      expect(upstreams.status(server).startedCount).toBe(1);
    },
  );

  it("works with a server that prints blank lines and text between its messages", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("chatty")] });
    expect((await upstreams.list("chatty")).tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(
      textOf(await upstreams.call({ server: "chatty", tool: "echo", arguments: { text: "clear" } })),
    ).toBe("clear");
    expect(upstreams.status("chatty").startedCount).toBe(1);
  });

  it("stops sending to a process that leaves 32 MB unread", async () => {
    const reader = startProcess({
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1000)"],
      env: {},
    });
    const transport = new StdioTransport(reader, mebibyte, () => {});
    await transport.start();
    const answer = { jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(mebibyte) } };
    let refusal: unknown;
    let sent = 0;
    while (refusal === undefined && sent < 1000) {
      sent++;
      transport.send(answer).catch((error: unknown) => {
        refusal ??= error;
      });
      await setImmediate();
    }
    expect(refusal).toMatchObject({ message: "The process does not read its messages" });
    await transport.close();
  });

  it("drops the late answer of an abandoned call", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("legacy-v1"), stdioFixture("echo")],
    });
    const slow = upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 300 }, timeoutMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    const after = await upstreams.call({ server: "echo", tool: "slow", arguments: { ms: 400 } });
    expect(textOf(after)).toBe("waited 400");
  });
});

// A sandbox behind a stream, for guests/lines.*: a message is two lines, a JSON array and a JSON text.
import { spawn } from "node:child_process";

const newline = 10;

/** @param {{ input: import("node:stream").Writable; output: import("node:stream").Readable; kill: () => void }} stream */
export const toWorld = ({ input, output, kill }) => {
  const world = {
    onMessage: () => {},
    start: (program) => send(["start"], JSON.stringify(program)),
    answer: (id, isAnswer, text) => send(["answer", id, isAnswer], text),
    close: kill,
  };
  const send = (head, text) => input.write(`${JSON.stringify(head)}\n${text}\n`);
  let head;
  let parts = [];
  const take = (line) => {
    if (head === undefined) head = JSON.parse(line);
    else {
      const [kind, ...rest] = head;
      head = undefined;
      world.onMessage(kind, line, ...rest);
    }
  };
  input.on("error", () => {});
  output.on("error", () => {});
  output.on("data", (chunk) => {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(newline, from);
      parts.push(chunk.subarray(from, at < 0 ? chunk.length : at));
      if (at < 0) return;
      const line = Buffer.concat(parts).toString("utf8");
      parts = [];
      take(line);
      from = at + 1;
    }
  });
  // A guest that ends without a message has failed. Messages after the last one are ignored.
  output.on("close", () => world.onMessage("failed", '"the process ended"'));
  return world;
};

/** A sandbox in a separate process. */
export const spawnWorld = (command, words) => {
  const child = spawn(command, words, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
  child.on("error", () => {});
  return toWorld({ input: child.stdin, output: child.stdout, kill: () => child.kill("SIGKILL") });
};

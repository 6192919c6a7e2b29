// A process that runs one program, in Node or Deno. A message is two lines: a JSON array and a JSON text.
import process from "node:process";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const install = runInThisContext(process.argv[2]);
const doors = install((kind, text, ...rest) => {
  process.stdout.write(`${JSON.stringify([kind, ...rest])}\n${text}\n`, () => {
    if (kind !== "call") process.exit(0);
  });
});
let head;
createInterface({ input: process.stdin }).on("line", (line) => {
  if (head === undefined) {
    head = JSON.parse(line);
    return;
  }
  const [kind, ...values] = head;
  head = undefined;
  if (kind === "answer") doors.answer(...values, line);
  else doors.start(runInThisContext(`(async () => {${JSON.parse(line)}\n})`));
});

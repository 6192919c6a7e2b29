// The programs, written once. A peer says only how a tool is called.

/** One value from what a peer hands to a program: `{ ok, data }`, a whole MCP result, JSON text, or the value itself. */
const unwrap = `const unwrap = (given: any): any => {
  let value = given && typeof given === "object" && "ok" in given && "data" in given ? given.data : given;
  if (value && value.structuredContent !== undefined) return value.structuredContent;
  if (value && Array.isArray(value.content)) value = value.content.map((part: any) => part.text ?? "").join("");
  return typeof value === "string" ? JSON.parse(value) : value;
};`;

/** Plain JavaScript for peers that do not accept types. */
const toProgram = ({ isTyped }, text) => (isTyped ? text : text.replace(/: any(\[\])?/g, ""));

export const trivial = () => "return 1";

export const sequence = (peer) =>
  toProgram(
    peer,
    `${unwrap}
let sum = 0;
for (let i = 0; i < 200; i++) sum += unwrap(await ${peer.call("echo", "{ value: i }")}).value;
return sum;`,
  );
export const sequenceSum = 19_900;

export const atOnce = (peer) =>
  toProgram(
    peer,
    `${unwrap}
const all = await Promise.all(Array.from({ length: 100 }, async (_, i) => ${peer.call("slow", "{ value: i }")}));
return all.map(unwrap).reduce((sum: any, one: any) => sum + one.value, 0);`,
  );
export const atOnceSum = 4950;

export const filter = (peer) =>
  toProgram(
    peer,
    `${unwrap}
const rows: any[] = unwrap(await ${peer.call("big", "{}")});
return rows.filter((row: any) => row.country === "IT").sort((one: any, other: any) => other.balance - one.balance).slice(0, 5);`,
  );

export const endless = () => "while (true) {}";

export const misspelt = (peer) => `const order = await ${peer.call("order", "{ cuont: 3 }")};\nreturn 1;`;

export const wrongField = (peer) =>
  `const order = await ${peer.call("order", "{ count: 3 }")};\nreturn order.totl.length;`;

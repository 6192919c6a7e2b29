// What the detectors find in sentences with known personal values, and in technical data without any.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const shared = new URL("../../../shared/", import.meta.url);
const sentencesFile = new URL("policy-data/pii-development.json", shared);
const corpusFolder = new URL("corpus/servers/", shared);
const callsFile = new URL("corpus/e2e-calls.json", shared);

export const hasSentences = existsSync(sentencesFile);
export const hasCorpus = existsSync(corpusFolder);

const kindOf = new Map([
  ["EMAIL_ADDRESS", "email"],
  ["CREDIT_CARD", "card"],
  ["IBAN_CODE", "iban"],
  ["IP_ADDRESS", "ip"],
  ["US_SSN", "ssn"],
  ["PHONE_NUMBER", "phone"],
]);
const kinds = new Set(kindOf.values());

/** How many values of each kind were found, and the false positives. */
export const measureSentences = (findInText) => {
  const counts = new Map([...kinds].map((kind) => [kind, { found: 0, all: 0 }]));
  const wrong = [];
  for (const { text, values } of JSON.parse(readFileSync(sentencesFile, "utf8"))) {
    const found = findInText(text, kinds);
    const wanted = values.flatMap((value) =>
      kindOf.has(value.kind) ? [{ ...value, kind: kindOf.get(value.kind) }] : [],
    );
    for (const { kind, start, end } of wanted) {
      const count = counts.get(kind);
      count.all++;
      if (found.some((one) => one.kind === kind && one.start <= start && one.end >= end)) count.found++;
    }
    for (const { kind, start, end } of found)
      if (!wanted.some((one) => one.kind === kind && one.start < end && one.end > start))
        wrong.push(`${kind} ${text.slice(start, end)}`);
  }
  return { counts, wrong };
};

/** Example addresses and numbers in documentation count as real ones. */
const isExample = ({ kind, value }) => kind === "email" || (kind === "phone" && value.startsWith("+"));

/** Texts and numbers in the listings of real servers, and what was hidden in them by mistake. */
export const measureCorpus = ({ hideInText, PrivacyTokenMap, hiddenKinds }) => {
  const files = [...readdirSync(corpusFolder).map((name) => new URL(name, corpusFolder)), callsFile];
  let leaves = 0;
  const alarms = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    leaves += countLeaves(JSON.parse(text));
    const map = new PrivacyTokenMap();
    hideInText(text, map, { kinds: new Set(hiddenKinds), scope: "", origin: "server" });
    for (const hidden of map.list()) if (!isExample(hidden)) alarms.push(`${hidden.kind} ${hidden.value}`);
  }
  return { leaves, alarms };
};

const countLeaves = (value) =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum, item) => sum + countLeaves(item), 0)
    : 1;

/** About `bytes` of rows as a customer database sends them. */
export const makeRows = (bytes) => {
  const rows = [];
  for (let size = 0, at = 0; size < bytes; at++) {
    const row = {
      id: `7f3c4b2a-11ee-4c1d-9b52-${String(at).padStart(12, "0")}`,
      name: `Ann Lee${at % 500}`,
      email: `ann.lee${at % 500}@example.com`,
      phone: `+1 415 555 ${String(at % 10_000).padStart(4, "0")}`,
      createdAt: "2026-02-03T04:05:06.789Z",
      total: at * 1.25,
      note: "Called back about the open invoice. Prefers e-mail, and asked for a new copy of the contract.",
      tags: ["renewal", "priority-2"],
    };
    size += JSON.stringify(row).length + 1;
    rows.push(row);
  }
  return JSON.stringify({ structuredContent: { rows } });
};

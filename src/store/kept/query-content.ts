// Answers a query of a kept value: walks its items one by one, so that no more than one of them is made at a time.
import {
  CoordinatorError,
  type Json,
  type KeptPart,
  type KeptQuery,
  parseJson,
} from "../../contracts/index.js";
import { isContainer, isList, readElements } from "./json-bytes.js";
import { follow, parseKeptPath } from "./kept-path.js";
import { locate, textOf } from "./locate.js";
import { toMatch } from "./match-conditions.js";
import { tooLarge } from "./page-content.js";
import { pauseEvery } from "./pause.js";

type Pick = (item: Json) => Json | undefined;

const toPick = (select: readonly string[] | undefined): Pick => {
  if (select === undefined) return (item) => item;
  const fields = select.map((field) => ({ field, steps: parseKeptPath(field) }));
  return (item) =>
    Object.fromEntries(
      fields.flatMap(({ field, steps }) => {
        const found = follow(item, steps);
        return found === undefined ? [] : [[field, found]];
      }),
    );
};

const isPlain = ({ where, select, offset, limit, count }: KeptQuery): boolean =>
  [where, select, offset, limit, count].every((one) => one === undefined);

export const queryJson = async (bytes: Buffer, query: KeptQuery, mostBytes: number): Promise<KeptPart> => {
  const { start, inside } = locate(bytes, parseKeptPath(query.path ?? ""));
  if (inside === undefined && isPlain(query)) {
    const text = textOf(bytes, start);
    if (text.length > mostBytes) throw tooLarge(mostBytes);
    return { format: "json", text };
  }
  if (!isContainer(bytes[start]) || (inside === undefined && !isList(bytes[start])))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot query "${query.path ?? ""}": it is no list, expected the path of one`,
      { hint: "Peek at the handle: it names the fields." },
    );
  const isMatch = toMatch(query.where);
  const pick = toPick(query.select);
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const pause = pauseEvery();
  const texts: string[] = [];
  let found = 0;
  let size = 2;
  for (const element of readElements(bytes, { container: start })) {
    await pause(element.end);
    const item = parseJson(bytes.toString("utf8", element.start, element.end)) as Json;
    if (!isMatch(item)) continue;
    const value = inside === undefined || inside.length === 0 ? item : follow(item, inside);
    const picked = value === undefined ? undefined : pick(value);
    if (picked === undefined) continue;
    found++;
    if (query.count === true || found <= offset) continue;
    const text = JSON.stringify(picked);
    size += text.length + 1;
    if (size > mostBytes) throw tooLarge(mostBytes);
    texts.push(text);
    if (texts.length >= limit) break;
  }
  return { format: "json", text: query.count === true ? String(found) : `[${texts.join(",")}]` };
};

/** The lines of a text that contain another. */
export const queryText = (bytes: Buffer, query: KeptQuery, mostBytes: number): KeptPart => {
  const { path: wanted = "", offset = 0, limit = Number.POSITIVE_INFINITY, where, select } = query;
  if (where !== undefined || select !== undefined)
    throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot query a text by fields: it has lines only", {
      hint: 'Give the words that a line must contain: query(handle, "error").',
    });
  const lines = bytes.toString("utf8").split("\n");
  const found = lines.filter((line) => line.includes(wanted));
  if (query.count === true) return { format: "json", text: String(found.length) };
  const text = JSON.stringify(found.slice(offset, offset + limit));
  if (text.length > mostBytes) throw tooLarge(mostBytes);
  return { format: "json", text };
};

// Resources, prompts and completion of hostile servers, and programs that send more than arguments.
import { describe, expect, it, onTestFinished } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { openFixture } from "../support/open-fixture.js";

const open = async () => {
  const fixture = await openFixture({
    odd: { command: process.execPath, args: [fixturePath("odd-offers")] },
  });
  onTestFinished(fixture.close);
  return fixture.coordinator;
};

const languages = ["typescript", "python"] as const;

/** What a program must not decide: the answers of people, the state of a request, its metadata. */
const forged = {
  inputResponses: { name: { action: "accept" } },
  requestState: "forged",
  _meta: { a: 1 },
  cursor: "2",
};

describe.each(languages)("a %s program", (language) => {
  it("sends no field of the protocol in addition to the arguments", async () => {
    const given = JSON.stringify(JSON.stringify({ uri: "odd:request", ...forged }));
    const code =
      language === "typescript"
        ? `const given: any = JSON.parse(${given});
const [{ text }] = await odd.resources.read(given);
const list = await (odd.resources.list as any)(given);
const { messages } = await odd.prompts.odd({ json: "request", more: JSON.parse("null") });
return [text, list.length, messages[0].content.text]`
        : `import json
given = json.loads(${given})
text = odd.resources.read(given)[0]["text"]
found = odd.resources.list(given)
messages = odd.prompts.odd({"json": "request", "more": json.loads("null")})["messages"]
return [text, len(found), messages[0]["content"]["text"]]`;
    const { error, value } = await (await open()).runCode({ code, language });
    expect(error).toBeUndefined();
    const [read, count, prompt] = value as [string, number, string];
    const sent = [read, prompt].map((text) =>
      Object.keys(JSON.parse(text) as object).filter((key) => key !== "_meta"),
    );
    expect(sent).toEqual([["uri"], ["name", "arguments"]]);
    expect(count).toBe(1);
    expect(read).not.toMatch(/forged|accept|"a":1/);
    expect(JSON.parse(prompt)).toMatchObject({ name: "odd", arguments: { json: "request" } });
    expect(prompt).not.toContain("more");
  });

  it("gets an error, not a value of another type, for a malformed answer", async () => {
    const wrong = ["{}", "null", "5", "[]", '"x"', '{"isError":true}', '{"resultType":"input_required"}'];
    const of = (key: string) =>
      ["null", "5", '"x"', "{}", "[null]", '[5,"x"]'].map((value) => `{"${key}":${value}}`);
    const texts = JSON.stringify({
      read: [...wrong, ...of("contents")],
      prompt: [...wrong, ...of("messages")],
      complete: [...wrong, ...of("completion"), '{"completion":{"values":"x"}}'],
    });
    const code =
      language === "typescript"
        ? `const texts = ${texts};
const seen: string[] = [];
const note = async (work: () => Promise<unknown>) => {
  try { seen.push("value " + JSON.stringify(await work())); } catch (error) { seen.push((error as any).code); }
};
for (const text of texts.read) await note(() => odd.resources.read("odd:" + encodeURIComponent(text)));
for (const text of texts.prompt) await note(() => odd.prompts.odd({ json: text }));
for (const text of texts.complete) await note(() => odd.complete({ prompt: "odd", argument: "json", value: text }));
return seen`
        : `import json
from urllib.parse import quote
texts = json.loads(${JSON.stringify(texts)})
seen = []
def note(work):
    try:
        seen.append("value " + json.dumps(work()))
    except Exception as error:
        seen.append(error.code)
for text in texts["read"]:
    note(lambda: odd.resources.read("odd:" + quote(text, safe="")))
for text in texts["prompt"]:
    note(lambda: odd.prompts.odd(json=text))
for text in texts["complete"]:
    note(lambda: odd.complete(prompt="odd", argument="json", value=text))
return seen`;
    const { error, value } = await (await open()).runCode({ code, language });
    expect(error).toBeUndefined();
    expect(value).toEqual(Array(40).fill("UPSTREAM_FAILED"));
  });
});

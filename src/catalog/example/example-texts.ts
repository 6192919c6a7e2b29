// Texts that a parameter of that name could plausibly hold. Nobody is reached and nothing is harmed by them.

/** The first that fits the name's words decides; more telling words come first. */
const byName: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b(?:e ?mails?|recipients?)\b/, "ada@example.com"],
  [/\b(?:urls?|uris?|links?|endpoint|website|webhook|href)\b/, "https://example.com"],
  [/\b(?:domain|host|hostname)\b/, "example.com"],
  [/\b(?:ip|ip address)\b/, "192.0.2.1"],
  [/\b(?:dir|directory|folder|cwd|root)\b/, "."],
  [/\b(?:path|paths|file|files|filename|filepath)\b/, "notes.txt"],
  [/\b(?:sql|statement)\b/, "SELECT 1"],
  [/\b(?:regex|regexp|pattern|glob)\b/, "*.txt"],
  [
    /\b(?:timestamp|datetime|date time|time|(?:created|updated|since|until|start|end|due) at)\b/,
    "2025-01-31T09:00:00Z",
  ],
  [/\b(?:date|day|since|until|from date|to date|start date|end date)\b/, "2025-01-31"],
  [/\b(?:month)\b/, "2025-01"],
  [/\b(?:year)\b/, "2025"],
  [/\b(?:time ?zone|tz)\b/, "Europe/Berlin"],
  [/\b(?:branch|ref|base|head)\b/, "main"],
  [/\b(?:sha|commit|hash)\b/, "a1b2c3d"],
  [/\b(?:repo|repository)\b/, "hello-world"],
  [/\b(?:owner|org|organization|user|username|login|author|assignee)\b/, "octocat"],
  [/\b(?:selector|xpath)\b/, "#main"],
  [/\b(?:command|cmd)\b/, "ls"],
  [/\b(?:phone|tel)\b/, "+15550100"],
  [/\b(?:currency)\b/, "EUR"],
  [/\b(?:port)\b/, "8080"],
  [/\b(?:slug)\b/, "example"],
  [/\b(?:country|region)\b/, "DE"],
  [/\b(?:city|location|place|address)\b/, "Berlin"],
  [/\b(?:lang|language|locale)\b/, "en"],
  [/\b(?:symbol|ticker)\b/, "ACME"],
  [/\b(?:colou?r)\b/, "#3366cc"],
  [/\b(?:version|tag)\b/, "1.0.0"],
  [/\b(?:latitude|lat)\b/, "52.5"],
  [/\b(?:longitude|lng|lon)\b/, "13.4"],
  [/\b(?:ids?|key|keys|number|num|uuid|guid|uid|iid|sid)\b/, "123"],
  [/\b(?:query|search|keywords?|terms?|q|question|prompt)\b/, "example"],
  [/\b(?:message|text|body|content|contents|comment|note|description|summary|markdown|html)\b/, "Hello"],
  [/\b(?:title|name|label|subject)\b/, "Example"],
];

const toWords = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

/** `repo_owner` → `octocat`; a name that says nothing gets `example`. */
export const toExampleText = (name: string, tool = ""): string => {
  const words = toWords(name);
  if (/\bpath$/.test(words) && /\b(?:dir|directory|directories|folders?|tree)\b/.test(toWords(tool)))
    return ".";
  if (/^(?:(?:source )?code|script|expression|function)$/.test(words)) return "1 + 1";
  // The last word says what it is, the words before it of what: `user email` is an email, `file id` is an id.
  const last = words.slice(words.lastIndexOf(" ") + 1);
  const find = (text: string): string | undefined => byName.find(([pattern]) => pattern.test(text))?.[1];
  return find(last) ?? find(words) ?? "example";
};

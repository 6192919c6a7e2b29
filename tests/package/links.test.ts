// Links in documents lead to existing files and headings, front matter is valid, and guides to the source name files that exist.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".md") && !/(^|\/)(node_modules|dist|bundle|\.node|\.git)\//.test(path));

const readProse = (path: string): string =>
  readFileSync(path, "utf8")
    .replace(/^(```+)[\s\S]*?^\1/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));

const readTargets = (path: string): readonly string[] => {
  const text = readProse(path);
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  return [...inline, ...named].map(([, target]) => target ?? "");
};

/** The anchors of a page's headings, as GitHub generates them. */
const readAnchors = (path: string): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  const headings = readFileSync(path, "utf8")
    .replace(/^(```+)[\s\S]*?^\1/gm, "")
    .matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) => {
      const name = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{Letter}\p{Number}\p{Mark}_\- ]/gu, "")
        .replaceAll(" ", "-");
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return count === 0 ? name : `${name}-${count}`;
    }),
  );
};

const toFile = (from: string, target: string): string => {
  const [path = ""] = target.split("#");
  return path === "" ? from : resolve(dirname(from), decodeURIComponent(path));
};

const findFault = (from: string, target: string): string | undefined => {
  const file = toFile(from, target);
  if (!existsSync(file)) return `${target}: there is no such file`;
  const [, anchor] = target.split("#");
  if (anchor === undefined) return undefined;
  const page = statSync(file).isDirectory() ? join(file, "README.md") : file;
  return existsSync(page) && readAnchors(page).has(decodeURIComponent(anchor))
    ? undefined
    : `${target}: there is no such heading`;
};

const isLocal = (target: string): boolean => !/^[a-z][a-z+.-]*:/i.test(target);

it.each(documents)("%s links only to files and headings that exist", (path) => {
  const from = join(root, path);
  expect(
    readTargets(from)
      .filter(isLocal)
      .flatMap((target) => findFault(from, target) ?? []),
  ).toEqual([]);
});

test("every document can be reached from the README", () => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const target of readTargets(join(root, path)).filter(isLocal)) {
      const file = toFile(join(root, path), target);
      const page = existsSync(file) && statSync(file).isDirectory() ? join(file, "README.md") : file;
      const name = relative(root, page).replaceAll("\\", "/");
      if (documents.includes(name)) visit(name);
    }
  };
  visit("README.md");
  const wanted = documents.filter((path) => !/^(tests|\.github|CHANGELOG|AGENTS)/.test(path));
  expect(wanted.filter((path) => !reached.has(path))).toEqual([]);
});

it.each(documents.filter((path) => /^docs\/[a-z-]+\.md$/.test(path)))("%s begins with valid YAML", (path) => {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(root, path), "utf8")) ?? [];
  expect(parse(head)).toEqual({ summary: expect.any(String), read_when: expect.any(String) });
});

const sourceGuides = documents.filter((path) =>
  /^(AGENTS|CONTRIBUTING|docs\/architecture|docs\/decisions\/.*)\.md$/.test(path),
);
const files = ["src", "tests", "scripts", "benchmarks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (path) => `${folder}/${path.replaceAll("\\", "/")}`,
  ),
);

/** `a/{b,c}.ts` → `a/b.ts`, `a/c.ts` */
const expandBraces = (path: string): readonly string[] => {
  const [whole = "", list] = /\{([^}]*)\}/.exec(path) ?? [];
  return list === undefined ? [path] : list.split(",").map((name) => path.replace(whole, name));
};

it.each(sourceGuides)("%s names only source files that exist", (path) => {
  const named = [...readFileSync(join(root, path), "utf8").matchAll(/`([\w./{},-]+\.(?:ts|mjs|py))`/g)];
  const missing = named
    .flatMap(([, name = ""]) => expandBraces(name))
    .filter(
      (name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)) && !existsSync(join(root, name)),
    );
  expect(missing).toEqual([]);
});

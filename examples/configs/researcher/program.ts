// Every paper lists its citations. Builds the graph of citations and returns the most cited paper.
import { createEntities, createRelations } from "servers/knowledge";
import { listDirectory, readMultipleFiles } from "servers/papers";

const { content } = await listDirectory({ path: "." });
const names = content.split("\n").map((line) => line.replace("[FILE] ", ""));
const texts = (await readMultipleFiles({ paths: names })).content.split("\n---\n");

const papers = texts.map((text) => ({
  title: text.match(/^Title: (.*)$/m)?.[1] ?? "",
  cites: [...text.matchAll(/^Cites: (.*)$/gm)].map(([, title]) => title),
}));
const relations = papers.flatMap(({ title, cites }) => cites.map((to) => ({ from: title, to, relationType: "cites" })));

await createEntities({ entities: papers.map(({ title }) => ({ name: title, entityType: "paper", observations: [] })) });
await createRelations({ relations });

const count = (title: string) => relations.filter(({ to }) => to === title).length;
const [mostCited] = papers.map(({ title }) => ({ title, cited: count(title) })).sort((a, b) => b.cited - a.cited);
return { papers: papers.length, citations: relations.length, mostCited };

// Tasks on a knowledge graph: build it, change it, answer from it.
import { expectAnswer, expectSame, openDice, people } from "../world.mjs";

/** Everybody's manager is somebody before them; the first person has none. */
const managers = () => {
  const dice = openDice(3);
  return people.map((name, at) => ({
    name,
    manager: at === 0 ? undefined : people[dice(Math.min(at, 5))],
    team: ["north", "south"][dice(2)],
  }));
};

const writeGraph = (world, more = []) => {
  const entities = managers().map(({ name, team }) => ({
    type: "entity",
    name,
    entityType: "person",
    observations: [`works in team ${team}`],
  }));
  const relations = managers().flatMap(({ name, manager }) =>
    manager === undefined ? [] : [{ type: "relation", from: name, to: manager, relationType: "reports to" }],
  );
  world.write(
    "memory.jsonl",
    [...entities, ...relations, ...more].map((one) => JSON.stringify(one)).join("\n"),
  );
};

const countReports = (name) =>
  managers()
    .filter(({ manager }) => manager === name)
    .reduce((sum, { name: one }) => sum + 1 + countReports(one), 0);

const ofType = (world, type) => world.readGraph().filter((one) => one.type === type);
const sorted = (values) => [...values].sort();

export const memoryTasks = [
  {
    name: "build-graph",
    kind: "between servers",
    servers: ["files", "memory"],
    prompt:
      'FOLDER/files/people.csv lists people and their managers. Store them in the knowledge graph: an entity of the type "person" for each, and a relation "reports to" from each person to the manager.',
    prepare: (world) =>
      world.write(
        "files/people.csv",
        `name,manager\n${managers()
          .map(({ name, manager = "" }) => `${name},${manager}`)
          .join("\n")}\n`,
      ),
    solution: `const { content: text } = await files.readTextFile({ path: "FOLDER/files/people.csv" });
const rows = text.trim().split("\\n").slice(1).map((line) => line.split(","));
await memory.createEntities({ entities: rows.map(([name = ""]) => ({ name, entityType: "person", observations: [] })) });
await memory.createRelations({ relations: rows.filter(([, manager]) => manager).map(([from = "", to = ""]) => ({ from, to, relationType: "reports to" })) });
return rows.length;`,
    check: (world) =>
      expectSame(
        "entities",
        sorted(ofType(world, "entity").map(({ name, entityType }) => `${name} ${entityType}`)),
        sorted(people.map((name) => `${name} person`)),
      ) ??
      expectSame(
        "relations",
        sorted(
          ofType(world, "relation").map(({ from, to, relationType }) => `${from} ${relationType} ${to}`),
        ),
        sorted(
          managers().flatMap(({ name, manager }) =>
            manager === undefined ? [] : [`${name} reports to ${manager}`],
          ),
        ),
      ),
  },
  {
    name: "count-reports",
    kind: "find",
    servers: ["memory"],
    prompt:
      "The knowledge graph knows who reports to whom. How many people report to Ben Cole, directly or through others?",
    prepare: (world) => writeGraph(world),
    solution: `const graph = await memory.readGraph();
const count = (name: string): number => graph.relations.filter(({ to, relationType }) => to === name && relationType === "reports to").reduce((sum, { from }) => sum + 1 + count(from), 0);
return count("Ben Cole");`,
    check: (_world, answer) => expectAnswer(answer, countReports("Ben Cole")),
  },
  {
    name: "forget-person",
    kind: "change data",
    servers: ["memory"],
    prompt:
      "Kim Lund has left. Remove this person from the knowledge graph, with all relations, and keep everything else.",
    prepare: (world) => writeGraph(world),
    solution: `await memory.deleteEntities({ entityNames: ["Kim Lund"] }); return "done";`,
    direct: [[["memory__delete_entities", { entityNames: ["Kim Lund"] }]]],
    check: (world) =>
      expectSame(
        "people",
        sorted(ofType(world, "entity").map(({ name }) => name)),
        sorted(people.filter((name) => name !== "Kim Lund")),
      ) ??
      expectSame(
        "relations",
        ofType(world, "relation").filter(({ from, to }) => from === "Kim Lund" || to === "Kim Lund").length,
        0,
      ),
  },
  {
    name: "note-teams",
    kind: "change data",
    servers: ["memory"],
    prompt:
      'Add the observation "moves to the new office" to every person of team south in the knowledge graph, and to nobody else.',
    prepare: (world) => writeGraph(world),
    solution: `const graph = await memory.readGraph();
const south = graph.entities.filter(({ observations }) => observations.some((one) => one.includes("team south")));
await memory.addObservations({ observations: south.map(({ name }) => ({ entityName: name, contents: ["moves to the new office"] })) });
return south.length;`,
    check: (world) =>
      expectSame(
        "people who move",
        sorted(
          ofType(world, "entity")
            .filter(({ observations }) => observations.includes("moves to the new office"))
            .map(({ name }) => name),
        ),
        sorted(
          managers()
            .filter(({ team }) => team === "south")
            .map(({ name }) => name),
        ),
      ) ?? expectSame("number of people", ofType(world, "entity").length, people.length),
  },
];

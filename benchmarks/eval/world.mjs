// The world of a task: a folder with files, a database and a repository, the same at every start.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Numbers that look random and are the same every time. */
export const openDice = (seed) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

export const people = [
  ...[
    "Ada Brandt",
    "Ben Cole",
    "Carla Diaz",
    "Dan Evers",
    "Eva Fischer",
    "Finn Gray",
    "Gita Hora",
    "Hugo Iwu",
  ],
  ...["Ines Jung", "Jon Kask", "Kim Lund", "Lea Moro", "Max Nagy", "Nia Okoye", "Ole Petri", "Pia Quist"],
];

export const openWorld = (folder) => {
  const path = (...parts) => join(folder, ...parts);
  const git = (...words) =>
    execFileSync("git", ["-C", path("repository"), ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const query = (sql, ...values) => {
    const database = new DatabaseSync(path("shop.db"));
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  };
  return {
    folder,
    path,
    write: (name, content) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    },
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
    list: (name) => (existsSync(path(name)) ? readdirSync(path(name)).sort() : []),
    git,
    query,
    /** The memory server's file: one JSON object per line. */
    readGraph: () =>
      (existsSync(path("memory.jsonl")) ? readFileSync(path("memory.jsonl"), "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
};

/** The parts that every world has, because servers do not start without them. */
export const prepareWorld = (world) => {
  mkdirSync(world.path("files"), { recursive: true });
  mkdirSync(world.path("repository"));
  world.git("init", "--quiet", "--initial-branch=main");
  world.git("config", "user.name", "Ada Brandt");
  world.git("config", "user.email", "ada@example.com");
  world.write("repository/README.md", "# Garden\n");
  world.git("add", ".");
  commit(world, "Begin", 0);
  mkdirSync(world.path("vault", ".obsidian"), { recursive: true });
  fillDatabase(world);
};

/** `day` counts from the first of January 2026. */
export const commit = (world, message, day, author = "Ada Brandt") => {
  const date = new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString();
  execFileSync(
    "git",
    [
      ...["-C", world.path("repository"), "commit", "--quiet", "--allow-empty", "-m", message],
      ...["--author", `${author} <${author.split(" ")[0].toLowerCase()}@example.com>`, "--date", date],
    ],
    { env: { ...process.env, GIT_COMMITTER_DATE: date }, stdio: "ignore" },
  );
};

const products = ["lamp", "chair", "table", "shelf", "rug", "vase", "clock", "mirror"];

/** Customers, products and 400 orders; six orders belong to customers who do not exist. */
const fillDatabase = (world) => {
  const database = new DatabaseSync(world.path("shop.db"));
  const dice = openDice(7);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
    CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price_cents INTEGER NOT NULL);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, product_id INTEGER NOT NULL, quantity INTEGER NOT NULL, ordered_on TEXT NOT NULL);
  `);
  const addCustomer = database.prepare("INSERT INTO customers VALUES (?, ?, ?)");
  const cities = ["Oslo", "Graz", "Turin", "Porto"];
  for (const [at, name] of people.entries()) addCustomer.run(at + 1, name, cities[dice(4)]);
  const addProduct = database.prepare("INSERT INTO products VALUES (?, ?, ?, ?)");
  for (const [at, name] of products.entries())
    addProduct.run(at + 1, name, at < 4 ? "furniture" : "decoration", 1000 + dice(90) * 100);
  const addOrder = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?)");
  database.exec("BEGIN");
  for (let id = 1; id <= 400; id++) {
    const customer = id % 66 === 0 ? 900 + id : 1 + dice(people.length);
    const day = String(1 + dice(28)).padStart(2, "0");
    const month = String(1 + dice(12)).padStart(2, "0");
    addOrder.run(id, customer, 1 + dice(products.length), 1 + dice(5), `2026-${month}-${day}`);
  }
  database.exec("COMMIT");
  database.close();
};

/** Undefined if the value is as expected. */
export const expectSame = (what, found, wanted) => {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  return one === other ? undefined : `${what}: found ${one?.slice(0, 300)}, expected ${other.slice(0, 300)}`;
};

const normalize = (text) => text.toLowerCase().replace(/(?<=\d)[,'\u202f\u00a0](?=\d{3})/g, "");

/** Every expected text is in the answer, as a whole word. */
export const expectAnswer = (answer, ...wanted) => {
  const text = normalize(answer);
  const missing = wanted.filter((one) => {
    const escaped = normalize(String(one)).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return !new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}]|\\.\\d)`, "u").test(text);
  });
  return missing.length === 0 ? undefined : `the answer lacks ${missing.join(", ")}`;
};

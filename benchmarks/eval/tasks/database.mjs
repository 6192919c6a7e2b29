// Tasks on a SQLite database: ask, change, import, report.
import { expectAnswer, expectSame, openDice } from "../world.mjs";

const topSql = `SELECT c.name, SUM(o.quantity * p.price_cents) AS cents FROM orders o JOIN customers c ON c.id = o.customer_id JOIN products p ON p.id = o.product_id GROUP BY c.id ORDER BY cents DESC LIMIT 1`;
/** The rows of one statement. */
const helpers = `const sql = async (text: string): Promise<any[]> => ((await database.executeSql({ sql: text })) as any).data.statements[0].rows;
`;
const toDollars = (cents) => (cents / 100).toFixed(2);

const deliveries = () => {
  const dice = openDice(31);
  return Array.from({ length: 45 }, (_, at) => ({
    id: 1000 + at,
    order_id: 1 + dice(400),
    carrier: ["rail", "road", "sea"][dice(3)],
    days: 1 + dice(14),
  }));
};

const prices = (world) =>
  Object.fromEntries(
    world
      .query("SELECT id, category, price_cents FROM products")
      .map(({ id, category, price_cents }) => [id, { category, price_cents }]),
  );
export const databaseTasks = [
  {
    name: "best-customer",
    kind: "aggregate",
    servers: ["database"],
    prompt:
      "Which customer of the shop database has spent the most in total, and how much in dollars? Prices are in cents.",
    prepare: () => {},
    solution: `${helpers}const [best] = await sql(${JSON.stringify(topSql)});
return best.name + ": " + (best.cents / 100).toFixed(2);`,
    check: (world, answer) => {
      const [{ name, cents }] = world.query(topSql);
      return expectAnswer(
        answer.replace(/(\.\d)(?!\d)/g, "$10"),
        name,
        Number.isInteger(cents / 100) && !answer.includes(".") ? cents / 100 : toDollars(cents),
      );
    },
  },
  {
    name: "raise-prices",
    kind: "change data",
    servers: ["database"],
    prompt:
      "Raise the prices of all decoration products in the shop database by 10 percent, rounded to whole cents. Leave the other products alone.",
    prepare: (world) => {
      world.before = prices(world);
    },
    solution: `${helpers}await sql("UPDATE products SET price_cents = CAST(ROUND(price_cents * 1.1) AS INTEGER) WHERE category = 'decoration'");
return "done";`,
    check: (world) =>
      expectSame(
        "prices",
        prices(world),
        Object.fromEntries(
          Object.entries(world.before).map(([id, { category, price_cents }]) => [
            id,
            {
              category,
              price_cents: category === "decoration" ? Math.round(price_cents * 1.1) : price_cents,
            },
          ]),
        ),
      ),
  },
  {
    name: "remove-orphans",
    kind: "change data",
    servers: ["database"],
    prompt:
      "Delete the orders in the shop database that belong to no existing customer. How many were there?",
    prepare: () => {},
    solution: `${helpers}const where = " FROM orders WHERE customer_id NOT IN (SELECT id FROM customers)";
const [row] = await sql("SELECT COUNT(*) AS n" + where);
await sql("DELETE" + where);
return row.n;`,
    check: (world, answer) =>
      expectSame("orders", world.query("SELECT COUNT(*) AS n FROM orders")[0].n, 394) ??
      expectAnswer(answer, 6),
  },
  {
    name: "import-deliveries",
    kind: "between servers",
    servers: ["files", "database"],
    prompt:
      "Create the table deliveries (id, order_id, carrier, days) in the shop database, and insert every row of FOLDER/files/deliveries.csv.",
    prepare: (world) =>
      world.write(
        "files/deliveries.csv",
        `id,order_id,carrier,days\n${deliveries()
          .map((row) => Object.values(row).join(","))
          .join("\n")}\n`,
      ),
    solution: `${helpers}const { content } = await files.readTextFile({ path: "FOLDER/files/deliveries.csv" });
const rows = content.trim().split("\\n").slice(1).map((line) => line.split(","));
await sql("CREATE TABLE deliveries (id INTEGER, order_id INTEGER, carrier TEXT, days INTEGER)");
await sql("INSERT INTO deliveries VALUES " + rows.map(([id, order, carrier, days]) => "(" + id + "," + order + ",'" + carrier + "'," + days + ")").join(","));
return rows.length;`,
    check: (world) => {
      try {
        const rows = world.query(
          "SELECT CAST(id AS INTEGER) AS id, CAST(order_id AS INTEGER) AS order_id, carrier, CAST(days AS INTEGER) AS days FROM deliveries ORDER BY 1",
        );
        return expectSame(
          "deliveries",
          rows.map((row) => ({ ...row })),
          deliveries(),
        );
      } catch (error) {
        return `deliveries: ${error.message}`;
      }
    },
  },
  {
    name: "city-report",
    kind: "between servers",
    servers: ["files", "database"],
    prompt:
      'Write FOLDER/files/cities.csv from the shop database: the header "city,orders", then one line per city of the customers with the number of orders from that city, the largest number first.',
    prepare: () => {},
    solution: `${helpers}const rows = await sql("SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city ORDER BY n DESC");
await files.writeFile({ path: "FOLDER/files/cities.csv", content: "city,orders\\n" + rows.map((row) => row.city + "," + row.n).join("\\n") + "\\n" });
return rows.length;`,
    check: (world) => {
      const rows = world.query(
        "SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city ORDER BY n DESC",
      );
      return expectSame("cities.csv", world.read("files/cities.csv")?.trim().split(/\r?\n/), [
        "city,orders",
        ...rows.map(({ city, n }) => `${city},${n}`),
      ]);
    },
  },
  {
    name: "remember-buyers",
    kind: "between servers",
    servers: ["database", "memory"],
    prompt:
      'For each customer of the shop database with at least 30 orders, create an entity of the type "frequent buyer" in the knowledge graph, with the number of orders as an observation such as "31 orders".',
    prepare: () => {},
    solution: `${helpers}const rows = await sql("SELECT c.name, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.id HAVING n >= 30");
await memory.createEntities({ entities: rows.map((row) => ({ name: row.name, entityType: "frequent buyer", observations: [row.n + " orders"] })) });
return rows.length;`,
    check: (world) => {
      const rows = world.query(
        "SELECT c.name, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.id HAVING n >= 30 ORDER BY c.name",
      );
      const found = world
        .readGraph()
        .filter(({ type }) => type === "entity")
        .map(({ name, entityType, observations }) => [name, entityType, observations]);
      return expectSame(
        "buyers",
        found.sort(([one], [other]) => (one < other ? -1 : 1)),
        rows.map(({ name, n }) => [name, "frequent buyer", [`${n} orders`]]),
      );
    },
  },
];

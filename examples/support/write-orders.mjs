// Fills an SQLite file with orders: the same ones every time.
import { DatabaseSync } from "node:sqlite";

const cities = ["Oslo", "Porto", "Lyon", "Graz", "Turin"];
const states = ["paid", "paid", "paid", "pending", "refunded"];

/**
 * An order of the data set that all examples share.
 * @param {number} id
 */
export const toOrder = (id) => ({
  id,
  customer: `Customer ${id}`,
  email: `customer-${id}@shop.example`,
  city: cities[id % cities.length],
  status: states[Math.floor(id / cities.length) % states.length],
  total: ((id * 7919) % 100_000) / 100,
  day: new Date(Date.UTC(2026, 0, 1 + (id % 300))).toISOString().slice(0, 10),
});

/**
 * @param {string} file
 * @param {number} count
 */
export const writeOrders = (file, count, firstId = 1) => {
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, email TEXT, city TEXT, status TEXT, total REAL, day TEXT); BEGIN",
  );
  const insert = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (let id = firstId; id < firstId + count; id++) {
    const { customer, email, city = "", status = "", total, day } = toOrder(id);
    insert.run(id, customer, email, city, status, total, day);
  }
  database.exec("COMMIT");
  database.close();
};

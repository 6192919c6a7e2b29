// Expenses of a team: people, their expense items of a quarter with fifteen fields each, and custom budgets.
import { createDice } from "./dice.mjs";

const engineers = [
  "Alice Chen",
  "Bob Ortiz",
  "Carla Weiss",
  "Deniz Kaya",
  "Elif Arslan",
  "Farid Haddad",
  "Grace Okafor",
  "Hiro Tanaka",
];
const people = engineers.map((name, at) => ({
  id: `ENG${String(at + 1).padStart(3, "0")}`,
  name,
  role: at % 3 === 0 ? "Staff engineer" : "Engineer",
  email: `${name.toLowerCase().replace(" ", ".")}@example.com`,
  department: "engineering",
  location: ["Berlin", "Austin", "Lisbon"][at % 3],
}));
const budgets = new Map([
  ["ENG002", 9000],
  ["ENG005", 12_000],
]);
const categories = [
  "travel",
  "travel",
  "lodging",
  "meals",
  "software",
  "equipment",
  "conference",
  "office",
  "internet",
];

const makeItems = (employee, quarter) => {
  const { roll, pick } = createDice(100 + Number(employee.slice(3)));
  return Array.from({ length: 20 + roll(31) }, (_, at) => {
    const category = pick(categories);
    const amount = category === "travel" ? 150 + roll(260_000) / 100 : 10 + roll(40_000) / 100;
    const day = String(1 + roll(28)).padStart(2, "0");
    return {
      expense_id: `${employee}_${quarter}_${String(at + 1).padStart(3, "0")}`,
      date: `2026-${pick(["07", "08", "09"])}-${day}`,
      category,
      description: pick([
        "Flight to the customer",
        "Train to the office",
        "Team dinner",
        "Monthly plan",
        "Hotel, two nights",
      ]),
      amount: Math.round(amount * 100) / 100,
      currency: "USD",
      status: pick(["approved", "approved", "approved", "pending", "rejected"]),
      receipt_url: `https://receipts.example.com/${quarter}/${employee}/${roll(1_000_000)}.pdf`,
      approved_by: pick(["manager.one@example.com", "manager.two@example.com"]),
      store_name: pick([
        "Northwind Air",
        "City Rail",
        "Corner Kitchen",
        "Cloud Nine Hosting",
        "Hotel Meridian",
      ]),
      store_location: pick(["Berlin, DE", "Austin, US", "Lisbon, PT", "Paris, FR"]),
      reimbursement_date: pick(["2026-10-05", "2026-10-12", null]),
      payment_method: pick(["corporate_card", "personal_reimbursement"]),
      project_code: `PROJ-${1000 + roll(40)}`,
      notes: pick(["", "Booked late", "Shared with the team", "Approved in advance by the manager"]),
    };
  });
};

const string = (description) => ({ type: "string", description });
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

export const tools = {
  get_team_members: {
    description:
      "Returns the members of a department with identifier, name, role, email and location. Use it to learn whose expenses to ask for.",
    inputSchema: object({
      department: string("The name of the department, for example engineering, sales, marketing"),
    }),
    run: () => people,
  },
  get_expenses: {
    description:
      "Returns all expense items of an employee in a quarter. Each has fifteen fields: date, category, description, amount in USD, status (approved, pending, rejected), receipt, approver, shop, payment method, project and notes. An employee may have from twenty to fifty items. Only approved ones count against the budget.",
    inputSchema: object({
      employee_id: string("The identifier of the employee, for example ENG001"),
      quarter: string("The quarter: Q1, Q2, Q3 or Q4"),
    }),
    run: ({ employee_id, quarter }) => makeItems(employee_id, quarter),
  },
  get_custom_budget: {
    description:
      "Returns the travel budget of an employee for a quarter when it is another one than the standard of 5,000 USD; says so when there is none.",
    inputSchema: object({ user_id: string("The identifier of the employee") }),
    run: ({ user_id }) => ({
      user_id,
      has_custom_budget: budgets.has(user_id),
      travel_budget: budgets.get(user_id) ?? 5000,
      reason: budgets.has(user_id) ? "Customer visits" : "No custom budget, the standard applies",
      currency: "USD",
    }),
  },
};

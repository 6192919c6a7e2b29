// Who is over the travel budget: one call, then eight in parallel, then one for each person above the standard.

const isTravel = ({ category, status }) => category === "travel" && status === "approved";

export const task = {
  name: "team-expenses",
  title: "Team expenses against budgets",
  worlds: ["expenses"],
  question:
    "Which engineers exceeded their travel budget in Q3? The standard is 5,000 USD for a quarter, some have a custom one. Only approved items count.",
  *direct() {
    const [members] = yield [["expenses", "get_team_members", { department: "engineering" }]];
    const people = JSON.parse(members);
    const lists = yield people.map(({ id }) => [
      "expenses",
      "get_expenses",
      { employee_id: id, quarter: "Q3" },
    ]);
    const spent = people.map(({ id, name }, at) => ({
      id,
      name,
      total: JSON.parse(lists[at])
        .filter(isTravel)
        .reduce((sum, { amount }) => sum + amount, 0),
    }));
    const above = spent.filter(({ total }) => total > 5000);
    const budgets = yield above.map(({ id }) => ["expenses", "get_custom_budget", { user_id: id }]);
    return toAnswer(
      above
        .map((one, at) => ({ ...one, budget: JSON.parse(budgets[at]).travel_budget }))
        .filter(({ total, budget }) => total > budget)
        .map(({ name, total, budget }) => ({ name, total: Math.round(total), budget })),
    );
  },
  code: {
    needs: ["expenses.getTeamMembers", "expenses.getExpenses", "expenses.getCustomBudget"],
    searches: [{ query: "team members, their expenses and travel budgets" }],
    programs: [
      `import { getTeamMembers, getExpenses, getCustomBudget } from "servers/expenses";
const people = await getTeamMembers({ department: "engineering" });
const over = await Promise.all(people.map(async ({ id, name }) => {
  const items = await getExpenses({ employee_id: id, quarter: "Q3" });
  const total = items.filter((item) => item.category === "travel" && item.status === "approved")
    .reduce((sum, item) => sum + item.amount, 0);
  if (total <= 5000) return [];
  const { travel_budget: budget } = await getCustomBudget({ user_id: id });
  return total > budget ? [{ name, total: Math.round(total), budget }] : [];
}));
return over.flat();`,
    ],
    toAnswer: (output) => toAnswer(JSON.parse(output)),
  },
};

const toAnswer = (over) =>
  `Over their travel budget: ${over.map(({ name, total, budget }) => `${name} (${total} of ${budget})`).join(", ")}.`;

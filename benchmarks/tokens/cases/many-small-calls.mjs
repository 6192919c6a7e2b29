// Book-keeping with many small calls in sequence, in three sizes.

const expenses = [
  ["rent", 1500, "Office rent"],
  ["utilities", 325, "Power and water"],
  ["software", 600, "Design tool"],
  ["travel", 400, "Trip to the customer"],
];
const invoices = [
  ["Acme", 10, 120],
  ["Globex", 4, 300],
  ["Initech", 2, 950],
];
const searches = [{ query: "record transactions, invoices and payments" }];

const spend = ([category, amount, description]) => ({
  kind: "expense",
  category,
  amount,
  description,
  account: "checking",
});
const bill = ([client, quantity, price]) => ({
  client,
  items: [{ description: "Consulting", quantity, price }],
  due_days: 30,
});

const summarize = ({ expenses: spent, balances }) => `${spent} spent; ${balances.checking} left in checking.`;
const describe = (list) =>
  list
    .map(({ id, client, status, paid, total }) => `${id} ${client}: ${status}, ${paid} of ${total}`)
    .join("; ");

const recordExpenses = {
  name: "small-calls-5",
  title: "Many small calls: four expenses, a summary",
  worlds: ["books"],
  question: `Record these expenses from checking: ${expenses.map(([category, amount, text]) => `${category} ${amount} (${text})`).join(", ")}. Then tell me what was spent and what is left.`,
  *direct() {
    for (const one of expenses) yield [["books", "create_transaction", spend(one)]];
    const [summary] = yield [["books", "get_financial_summary", {}]];
    return summarize(JSON.parse(summary));
  },
  code: {
    needs: ["books.createTransaction", "books.getFinancialSummary"],
    searches,
    programs: [
      `import { createTransaction, getFinancialSummary } from "servers/books";
const expense = (category: string, amount: number, description: string) =>
  createTransaction({ kind: "expense", category, amount, description, account: "checking" });
${expenses.map((one) => `await expense(${one.map((value) => JSON.stringify(value)).join(", ")});`).join("\n")}
return await getFinancialSummary({});`,
    ],
    toAnswer: (output) => summarize(JSON.parse(output)),
  },
};

const handleInvoices = {
  name: "small-calls-10",
  title: "Many small calls: three invoices through their life",
  worlds: ["books"],
  question: `Invoice these clients for consulting: ${invoices.map(([client, hours, price]) => `${client} ${hours} hours at ${price}`).join(", ")}, due in 30 days. Send all three. Acme paid 600, Globex paid everything, void that of Initech. Then list all.`,
  *direct() {
    for (const one of invoices) yield [["books", "create_invoice", bill(one)]];
    for (const at of [1, 2, 3])
      yield [["books", "update_invoice_status", { invoice_id: `INV-000${at}`, status: "sent" }]];
    yield [["books", "record_partial_payment", { invoice_id: "INV-0001", amount: 600 }]];
    yield [["books", "record_partial_payment", { invoice_id: "INV-0002", amount: 1200 }]];
    yield [["books", "void_invoice", { invoice_id: "INV-0003" }]];
    const [list] = yield [["books", "list_invoices", {}]];
    return describe(JSON.parse(list));
  },
  code: {
    needs: [
      "createInvoice",
      "updateInvoiceStatus",
      "recordPartialPayment",
      "voidInvoice",
      "listInvoices",
    ].map((name) => `books.${name}`),
    searches: [{ query: "create, send, pay, void and list invoices", limit: 6 }],
    programs: [
      `import { createInvoice, updateInvoiceStatus, recordPartialPayment, voidInvoice, listInvoices } from "servers/books";
const create = async (client: string, quantity: number, price: number) =>
  (await createInvoice({ client, items: [{ description: "Consulting", quantity, price }], due_days: 30 })).invoice.id;
const ids = [${invoices.map((one) => `await create(${one.map((value) => JSON.stringify(value)).join(", ")})`).join(", ")}];
for (const invoice_id of ids) await updateInvoiceStatus({ invoice_id, status: "sent" });
await recordPartialPayment({ invoice_id: ids[0], amount: 600 });
await recordPartialPayment({ invoice_id: ids[1], amount: 1200 });
await voidInvoice({ invoice_id: ids[2] });
return (await listInvoices({})).map(({ id, client, status, paid, total }) => ({ id, client, status, paid, total }));`,
    ],
    toAnswer: (output) => describe(JSON.parse(output)),
  },
};

const moveSavings = {
  name: "small-calls-3",
  title: "Many small calls: a transfer and two balances",
  worlds: ["books"],
  question: "Move 2,500 from checking to savings and tell me both balances.",
  *direct() {
    yield [["books", "transfer_between_accounts", { from: "checking", to: "savings", amount: 2500 }]];
    const texts = yield ["checking", "savings"].map((account) => [
      "books",
      "get_account_balance",
      { account },
    ]);
    return texts.map((text) => JSON.parse(text).balance).join(" and ");
  },
  code: {
    needs: ["books.transferBetweenAccounts", "books.getAccountBalance"],
    searches: [{ query: "move money between accounts and read balances", limit: 3 }],
    programs: [
      `import { transferBetweenAccounts, getAccountBalance } from "servers/books";
await transferBetweenAccounts({ from: "checking", to: "savings", amount: 2500 });
const balances = [];
for (const account of ["checking", "savings"]) balances.push((await getAccountBalance({ account })).balance);
return balances;`,
    ],
    toAnswer: (output) => JSON.parse(output).join(" and "),
  },
};

export const tasks = [moveSavings, recordExpenses, handleInvoices];

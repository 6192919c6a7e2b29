// Book-keeping with state: transactions, invoices and accounts, twelve small tools.
const balances = { checking: 10_000, savings: 50_000 };
const transactions = [];
const invoices = new Map();

const string = (description) => ({ type: "string", description });
const number = (description) => ({ type: "number", description });
const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });
const account = { ...string("The account"), enum: ["checking", "savings"] };
const kind = { ...string("Money in or out"), enum: ["income", "expense"] };
const status = { ...string("The new status"), enum: ["draft", "sent", "partial", "paid", "void"] };
const tool = (description, inputSchema, run) => ({ description, inputSchema, run });

const record = (given) => {
  const entry = { id: `TXN-${String(transactions.length + 1).padStart(4, "0")}`, ...given };
  balances[given.account] += given.kind === "income" ? given.amount : -given.amount;
  transactions.push(entry);
  return { status: "success", transaction: entry, balance: balances[given.account] };
};
const change = (id, update) => {
  const invoice = { ...invoices.get(id), ...update };
  invoices.set(id, invoice);
  return { status: "success", invoice };
};

export const tools = {
  create_transaction: tool(
    "Records income or an expense and changes the balance of the account.",
    object({
      kind,
      category: string("A category such as rent or sales"),
      amount: number("In USD"),
      description: string("What it was for"),
      account,
    }),
    record,
  ),
  list_transactions: tool(
    "Lists transactions, optionally of one kind or category.",
    object({ kind, category: string("Only this category") }, []),
    (given) =>
      transactions.filter((one) => Object.entries(given).every(([name, value]) => one[name] === value)),
  ),
  get_account_balance: tool(
    "Returns the balance of an account.",
    object({ account }),
    ({ account: name }) => ({ account: name, balance: balances[name] }),
  ),
  transfer_between_accounts: tool(
    "Moves money from one account to another.",
    object({ from: account, to: account, amount: number("In USD") }),
    ({ from, to, amount }) => {
      balances[from] -= amount;
      balances[to] += amount;
      return { status: "success", balances };
    },
  ),
  get_financial_summary: tool("Sums up income, expenses and balances.", object({}), () => {
    const sum = (of) =>
      transactions.filter((one) => one.kind === of).reduce((total, { amount }) => total + amount, 0);
    return { income: sum("income"), expenses: sum("expense"), transactions: transactions.length, balances };
  }),
  create_invoice: tool(
    "Creates an invoice in draft.",
    object({
      client: string("The name of the client"),
      items: {
        type: "array",
        description: "The lines",
        items: object({
          description: string("What"),
          quantity: number("How many"),
          price: number("Of one, in USD"),
        }),
      },
      due_days: number("Days until it is due"),
    }),
    ({ client, items, due_days }) => {
      const id = `INV-${String(invoices.size + 1).padStart(4, "0")}`;
      const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      return change(id, { id, client, items, due_days, total, paid: 0, status: "draft" });
    },
  ),
  update_invoice_status: tool(
    "Changes the status of an invoice.",
    object({ invoice_id: string("The invoice"), status }),
    ({ invoice_id, status: next }) => change(invoice_id, { status: next }),
  ),
  record_partial_payment: tool(
    "Records a payment of a part of an invoice.",
    object({ invoice_id: string("The invoice"), amount: number("In USD") }),
    ({ invoice_id, amount }) => {
      const { paid, total } = invoices.get(invoice_id);
      return change(invoice_id, { paid: paid + amount, status: paid + amount >= total ? "paid" : "partial" });
    },
  ),
  list_invoices: tool("Lists invoices, optionally of one status.", object({ status }, []), (given) =>
    [...invoices.values()].filter((one) => given.status === undefined || one.status === given.status),
  ),
  get_invoice: tool("Returns one invoice.", object({ invoice_id: string("The invoice") }), ({ invoice_id }) =>
    invoices.get(invoice_id),
  ),
  void_invoice: tool("Voids an invoice.", object({ invoice_id: string("The invoice") }), ({ invoice_id }) =>
    change(invoice_id, { status: "void" }),
  ),
  close_month: tool(
    "Closes a month: nothing of it can be changed afterwards.",
    object({ month: string("For example 2026-10") }),
    ({ month }) => ({ status: "success", month }),
  ),
};

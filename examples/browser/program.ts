// Reads three pages and orders the cheapest offer through the page's form. No page reaches the model.
import { browserClick, browserEvaluate, browserFillForm, browserNavigate } from "servers/browser";

const shop = "http://localhost:8080";

/** The server answers with a report for people; a program needs only the value in it. */
const evaluate = async (code: string) => {
  const report = String(await browserEvaluate({ function: code }));
  return JSON.parse(report.split("### Result\n")[1].split("\n### ")[0]);
};

const offers = [];
for (const seller of ["north", "south", "west"]) {
  await browserNavigate({ url: `${shop}/${seller}` });
  const price = await evaluate("() => Number(document.querySelector('#price').textContent)");
  offers.push({ seller, price });
}
offers.sort((a, b) => a.price - b.price);

await browserNavigate({ url: `${shop}/${offers[0].seller}` });
await browserFillForm({ fields: [{ target: "input[name=amount]", name: "amount", type: "textbox", value: "3" }] });
await browserClick({ target: "button", element: "Order" });
return { offers, said: await evaluate("() => document.querySelector('#said').textContent") };

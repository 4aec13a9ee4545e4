import { money as moneyIn } from '../subscriptions/lines.ts';
import type Stripe from 'stripe';

export const invoiceStyle = `
:root { color-scheme: light; }
body { margin: 0; background: #f4f4f6; color: #1a1f36; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 640px; margin: 40px auto; padding: 40px; background: #fff; border-radius: 12px; box-sizing: border-box; }
h1 { margin: 0 0 4px; font-size: 26px; }
p { margin: 0 0 12px; }
.note { color: #5b6072; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 20px 0; }
dt { color: #5b6072; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 10px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #e3e4ea; font-weight: 400; }
th:last-child, td:last-child { text-align: right; white-space: nowrap; }
thead th { color: #5b6072; }
tfoot tr:last-child th, tfoot tr:last-child td { font-weight: 600; border-bottom: 0; }
@media (max-width: 680px) { main { margin: 0; padding: 24px; border-radius: 0; } }
@media print { body { background: #fff; } main { margin: 0; padding: 0; } }
`;

const date = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });

const states: Record<string, string> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Not collected',
};

/** Texts of an invoice in order, for the page and the PDF. */
export function describeInvoice(invoice: Stripe.Invoice) {
  const money = (amount: number) => moneyIn(amount, invoice.currency);
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const balance = invoice.amount_due - invoice.total;
  return {
    title: `Invoice ${invoice.number ?? ''}`.trim(),
    facts: [
      ['Date', date(invoice.created)],
      ['State', states[invoice.status ?? ''] ?? ''],
      ...(invoice.customer_email === null ? [] : [['For', invoice.customer_email]]),
    ] as [string, string][],
    lines: invoice.lines.data.map(
      ({ description, amount, period }) =>
        [`${description ?? ''} (${date(period.start)} to ${date(period.end)})`, money(amount)] as const,
    ),
    sums: [
      ...(discount === 0 ? [] : [['Discount', money(-discount)] as const]),
      ...(balance === 0 ? [] : [['Balance', money(balance)] as const]),
      ['Amount due', money(invoice.amount_due)] as const,
      ['Amount paid', money(invoice.amount_paid)] as const,
    ],
    note: 'This invoice was made by the payment sandbox. No money was moved.',
  };
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function invoicePage(invoice: Stripe.Invoice): string {
  const { title, facts, lines, sums, note } = describeInvoice(invoice);
  const row = (name: string, value: string, tag: string) =>
    `<tr><${tag}>${escape(name)}</${tag}><td>${escape(value)}</td></tr>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/stripe-sandbox/invoice.css">
</head>
<body>
<main>
<h1>${escape(title)}</h1>
<dl>${facts.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead>
<tbody>${lines.map(([name, value]) => row(name, value, 'td')).join('')}</tbody>
<tfoot>${sums.map(([name, value]) => row(name, value, 'th')).join('')}</tfoot>
</table>
<p class="note">${escape(note)}</p>
</main>
</body>
</html>`;
}

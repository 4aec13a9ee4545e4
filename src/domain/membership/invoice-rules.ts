import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { i18n } from '#i18n';
import { invoiceStatusNames } from './rules.ts';
import type { InvoiceDetail } from './shapes.ts';

/** All texts of an invoice, for its page and its PDF. */
export function invoiceText(invoice: InvoiceDetail) {
  const { number, status, currency, paidAt, lines, seller, billedTo, discount, credit, refunded } = invoice;
  const money = (cents: number) => formatMoney(cents, currency);
  const facts = [
    { label: i18n._(/*i18n*/ { id: 'invoice.from', message: 'From' }), value: seller },
    { label: i18n._(/*i18n*/ { id: 'invoice.to', message: 'To' }), value: billedTo },
    { label: i18n._(/*i18n*/ { id: 'invoice.date', message: 'Date' }), value: formatDay(invoice.createdAt) },
    {
      label: i18n._(/*i18n*/ { id: 'invoice.status', message: 'Status' }),
      value:
        paidAt === null
          ? invoiceStatusNames()[status]
          : i18n._(/*i18n*/ { id: 'invoice.paid-on', message: 'Paid on {day}', values: { day: formatDay(paidAt) } }),
    },
  ];
  const sums = [
    { label: i18n._(/*i18n*/ { id: 'invoice.subtotal', message: 'Subtotal' }), amount: invoice.subtotal },
    { label: i18n._(/*i18n*/ { id: 'invoice.discount', message: 'Discount' }), amount: -discount },
    { label: i18n._(/*i18n*/ { id: 'invoice.credit', message: 'Credit' }), amount: -credit },
    status === 'paid'
      ? {
          label: i18n._(/*i18n*/ { id: 'invoice.sum-paid', message: 'Paid' }),
          amount: invoice.amountPaid,
          isTotal: true,
        }
      : {
          label: i18n._(/*i18n*/ { id: 'invoice.due', message: 'Due' }),
          amount: status === 'void' ? 0 : invoice.amountDue,
          isTotal: true,
        },
    { label: i18n._(/*i18n*/ { id: 'invoice.refunded', message: 'Refunded' }), amount: -refunded },
  ];
  return {
    title:
      number === null
        ? i18n._(/*i18n*/ { id: 'invoice.title', message: 'Invoice' })
        : i18n._(/*i18n*/ { id: 'invoice.title-number', message: 'Invoice {number}', values: { number } }),
    facts: facts.filter((fact): fact is { label: string; value: string } => fact.value !== null),
    description: i18n._(/*i18n*/ { id: 'invoice.description', message: 'Description' }),
    amount: i18n._(/*i18n*/ { id: 'invoice.amount', message: 'Amount' }),
    lines: lines.map(({ description, amount, start, end }) => ({
      description,
      period: i18n._(
        /*i18n*/ {
          id: 'invoice.period',
          message: '{start} to {end}',
          values: { start: formatDay(start), end: formatDay(end) },
        },
      ),
      amount: money(amount),
    })),
    sums: sums
      .filter(({ amount, isTotal }, index) => index === 0 || isTotal || amount !== 0)
      .map(({ label, amount, isTotal = false }) => ({ label, amount: money(amount), isTotal })),
  };
}

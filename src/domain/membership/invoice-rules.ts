import { formatPercent } from '#formats/decimals.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { i18n } from '#i18n';
import { invoiceStatusNames } from './rules.ts';
import type { InvoiceDetail } from './shapes.ts';
import type { TaxDocument } from './tax/shapes.ts';

type Fact = { label: string; lines: string[] };
type Sum = { label: string; amount: string; isTotal: boolean };

/** All texts of an invoice, for its page and its PDF. */
export type InvoiceText = {
  title: string;
  from: Fact;
  facts: Fact[];
  /** Names the description, and each amount of a line. */
  heads: string[];
  lines: { description: string; period: string | undefined; amounts: string[] }[];
  sums: Sum[];
  notes: string[];
};

export function invoiceText(invoice: InvoiceDetail): InvoiceText {
  const { document } = invoice;
  return document === null ? plainText(invoice) : documentText(invoice, document);
}

const dateLabel = () => i18n._(/*i18n*/ { id: 'invoice.date', message: 'Date' });
const fromLabel = () => i18n._(/*i18n*/ { id: 'invoice.from', message: 'From' });
const toLabel = () => i18n._(/*i18n*/ { id: 'invoice.to', message: 'To' });
const statusLabel = () => i18n._(/*i18n*/ { id: 'invoice.status', message: 'Status' });
const descriptionLabel = () => i18n._(/*i18n*/ { id: 'invoice.description', message: 'Description' });
const amountLabel = () => i18n._(/*i18n*/ { id: 'invoice.amount', message: 'Amount' });
const discountLabel = () => i18n._(/*i18n*/ { id: 'invoice.discount', message: 'Discount' });
const creditLabel = () => i18n._(/*i18n*/ { id: 'invoice.credit', message: 'Credit' });
const paidOn = (at: Date) =>
  i18n._(/*i18n*/ { id: 'invoice.paid-on', message: 'Paid on {day}', values: { day: formatDay(at) } });

function periodOf(start: string, end: string): string {
  return i18n._(
    /*i18n*/ {
      id: 'invoice.period',
      message: '{start} to {end}',
      values: { start: formatDay(start), end: formatDay(end) },
    },
  );
}

/** As the provider has it: for payments that this site issued no invoice for. */
function plainText(invoice: InvoiceDetail): InvoiceText {
  const { number, status, currency, paidAt, lines, seller, soldBy, billedTo, discount, credit, refunded } = invoice;
  const money = (cents: number) => formatMoney(cents, currency);
  const sums = [
    { label: i18n._(/*i18n*/ { id: 'invoice.subtotal', message: 'Subtotal' }), amount: invoice.subtotal },
    { label: discountLabel(), amount: -discount },
    { label: creditLabel(), amount: -credit },
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
    from: { label: fromLabel(), lines: [soldBy ?? seller] },
    facts: [
      ...(billedTo === null ? [] : [{ label: toLabel(), lines: [billedTo] }]),
      { label: dateLabel(), lines: [formatDay(invoice.createdAt)] },
      { label: statusLabel(), lines: [paidAt === null ? invoiceStatusNames()[status] : paidOn(paidAt)] },
    ],
    heads: [descriptionLabel(), amountLabel()],
    lines: lines.map(({ description, amount, start, end }) => ({
      description: description || subscriptionName(),
      period: periodOf(start, end),
      amounts: [money(amount)],
    })),
    sums: sums
      .filter(({ amount, isTotal }, index) => index === 0 || isTotal || amount !== 0)
      .map(({ label, amount, isTotal = false }) => ({ label, amount: money(amount), isTotal })),
    notes:
      soldBy === null
        ? []
        : [
            i18n._(
              /*i18n*/ {
                id: 'invoice.sold-by',
                message:
                  '{title} sells in its own name. This is a record of the payment; the invoice comes from {title}.',
                values: { title: soldBy },
              },
            ),
          ],
  };
}

const subscriptionName = () => i18n._(/*i18n*/ { id: 'invoice.subscription', message: 'Subscription' });

/** As this site issued it. */
export function documentText(
  invoice: Pick<InvoiceDetail, 'currency' | 'countryName'>,
  document: TaxDocument,
): InvoiceText {
  const { kind, number, permille, seller, through } = document;
  const money = (cents: number) => formatMoney(cents, invoice.currency);
  const hasTax = permille !== null;
  const isNote = kind === 'credit-note';
  const isChargeBack = document.lines[0]?.kind === 'charge-back';
  const vatId = (id: string) => i18n._(/*i18n*/ { id: 'invoice.vat-id', message: 'VAT ID {id}', values: { id } });
  const day = formatDay(document.suppliedAt);
  const buyer = [
    document.buyer?.name ?? '',
    document.buyer?.email ?? '',
    invoice.countryName ?? '',
    document.buyer?.vatId ? vatId(document.buyer.vatId) : '',
  ].filter(Boolean);
  const amountsOf = ({ net, tax, gross }: { net: number; tax: number; gross: number }) =>
    (hasTax ? [net, tax, gross] : [gross]).map(money);
  const total = {
    label: i18n._(/*i18n*/ { id: 'invoice.total', message: 'Total' }),
    amount: money(document.gross),
    isTotal: true,
  };
  return {
    title: isNote
      ? i18n._(/*i18n*/ { id: 'invoice.note-title', message: 'Credit note {number}', values: { number } })
      : i18n._(/*i18n*/ { id: 'invoice.title-number', message: 'Invoice {number}', values: { number } }),
    from: {
      label: fromLabel(),
      lines: [seller.name, ...seller.address.split('\n'), seller.vatId ? vatId(seller.vatId) : ''].filter(Boolean),
    },
    facts: [
      ...(buyer.length === 0 ? [] : [{ label: toLabel(), lines: buyer }]),
      { label: dateLabel(), lines: [formatDay(document.issuedAt)] },
      {
        label: statusLabel(),
        lines: [
          isNote
            ? isChargeBack
              ? i18n._(/*i18n*/ { id: 'invoice.charged-back-on', message: 'Taken back on {day}', values: { day } })
              : i18n._(/*i18n*/ { id: 'invoice.refunded-on', message: 'Refunded on {day}', values: { day } })
            : paidOn(document.suppliedAt),
          i18n._(/*i18n*/ { id: 'invoice.through', message: 'through {provider}', values: { provider: through } }),
        ],
      },
      ...(document.correctsNumber === null
        ? []
        : [
            {
              label: i18n._(/*i18n*/ { id: 'invoice.corrects', message: 'Corrects' }),
              lines: [document.correctsNumber],
            },
          ]),
    ],
    heads: hasTax
      ? [
          descriptionLabel(),
          i18n._(/*i18n*/ { id: 'invoice.net', message: 'Net' }),
          i18n._(/*i18n*/ { id: 'invoice.vat', message: 'VAT' }),
          i18n._(/*i18n*/ { id: 'invoice.total', message: 'Total' }),
        ]
      : [descriptionLabel(), amountLabel()],
    lines: document.lines.map((line) => ({
      description: lineName(line),
      period: line.start === null || line.end === null ? undefined : periodOf(line.start, line.end),
      amounts: amountsOf(line),
    })),
    sums: hasTax
      ? [
          {
            label: i18n._(/*i18n*/ { id: 'invoice.net', message: 'Net' }),
            amount: money(document.net),
            isTotal: false,
          },
          ...taxSums(invoice, document).map(({ label, amount }) => ({ label, amount: money(amount), isTotal: false })),
          total,
        ]
      : [total],
    notes: [
      ...(seller.oneStopShop === true ? [shopNote(invoice.countryName ?? document.country)] : []),
      ...(seller.note === undefined ? [] : [seller.note]),
      ...(document.subject === 'voucher' && seller.vatId !== '' ? [voucherNote()] : []),
      i18n._(
        /*i18n*/ {
          id: 'invoice.by-computer',
          message: 'This invoice was made by a computer and is valid without a signature.',
        },
      ),
    ],
  };
}

const shopNote = (country: string) =>
  i18n._(
    /*i18n*/ {
      id: 'invoice.one-stop-shop',
      message: 'The VAT is that of {country}, and is declared through the one-stop shop of the European Union.',
      values: { country },
    },
  );

const voucherNote = () =>
  i18n._(
    /*i18n*/ {
      id: 'invoice.voucher',
      message: 'This gift card is a multi-purpose voucher: its price has no VAT yet, which is due when it is redeemed.',
    },
  );

/** By the site's table there is one tax; a provider may have charged several. */
function taxSums(
  { countryName }: Pick<InvoiceDetail, 'countryName'>,
  { taxes, country, permille, tax }: TaxDocument,
): { label: string; amount: number }[] {
  const percent = percentOf(permille ?? 0);
  const isOne = taxes === null || (taxes.length === 1 && taxes[0]?.place === country && taxes[0].name === 'VAT');
  if (isOne)
    return [
      {
        label: i18n._(
          /*i18n*/ {
            id: 'invoice.vat-of',
            message: 'VAT {country}, {percent}',
            values: { country: countryName ?? country, percent },
          },
        ),
        amount: tax,
      },
    ];
  return taxes.map(({ name, place, percentage, amount }) => ({
    // The provider's own words.
    label: `${name} ${place}, ${formatPercent(percentage, decimalsIn(percentage))}`,
    amount,
  }));
}

const decimalsIn = (value: number) => (String(value).split('.')[1] ?? '').length;

function percentOf(permille: number): string {
  return formatPercent(permille / 10, permille % 10 === 0 ? 0 : 1);
}

function lineName({ kind, description, months = 0 }: TaxDocument['lines'][number]): string {
  if (kind === 'discount') return discountLabel();
  if (kind === 'credit') return creditLabel();
  if (kind === 'refund') return i18n._(/*i18n*/ { id: 'invoice.refund', message: 'Refund' });
  if (kind === 'charge-back')
    return i18n._(/*i18n*/ { id: 'invoice.charge-back', message: 'Taken back by the cardholder’s bank' });
  if (kind === 'gift-card')
    return i18n._(
      /*i18n*/ {
        id: 'invoice.gift-card',
        message: '{months, plural, one {Gift card, a month} other {Gift card, # months}}',
        values: { months },
      },
    );
  if (kind === 'tip') return i18n._(/*i18n*/ { id: 'invoice.tip', message: 'Tip' });
  return description || subscriptionName();
}

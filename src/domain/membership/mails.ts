import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import { i18n } from '#i18n';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { keepingMails } from './keeping/mails.ts';
import { pauseMails } from './keeping/pause-mails.ts';
import type { MovedKind } from './moving/tables.ts';
import type { Period } from './rules.ts';
import { tipMails } from './tips/mails.ts';

/** Mails about a membership. None of them names what anyone listens to. */

type Price = { amount: number; currency: string; period: Period };
/** `nextAmount`: the next charge, after a discount. */
type Charged = Price & { nextAmount: number };

const priceOf = ({ amount, currency, period }: Price) =>
  i18n._(
    /*i18n*/ {
      id: 'mail.price',
      message: '{period, select, month {{amount} a month} other {{amount} a year}}',
      values: { period, amount: formatMoney(amount, currency) },
    },
  );

const subscriptionLink = { means: 'The subscription', sample: '{url}/account/subscription' };
const price = { means: 'Price of the subscription', sample: '$4.99 a month', isRequired: true } as const;
const invoiceNumber = { means: 'The number of the invoice; may be empty', sample: 'Invoice SO-1042.' };
const invoiceLink = { means: 'The invoice', sample: '{url}/account/invoices/sample' };
/** An invoice, as the mails name it. */
const ofInvoice = (site: MailSite, { id, number }: { id: string; number: string | null }) => ({
  invoice:
    number === null ? '' : i18n._(/*i18n*/ { id: 'mail.invoice', message: 'Invoice {number}.', values: { number } }),
  link: `${site.url}/account/invoices/${id}`,
});
const cancelAnytime = 'You can cancel anytime in your account.';

const welcomeToTrial = defineMail({
  key: 'welcome-trial',
  name: 'Welcome, with a free trial',
  when: 'To a new subscriber whose first weeks are free.',
  text: {
    subject: 'Welcome to {site}',
    body: `Thank you for subscribing. You now have unlimited access.

It is free until {freeUntil}. {firstPayment} After that it is {price}.

[See your subscription]({link})`,
    closing: cancelAnytime,
  },
  placeholders: {
    freeUntil: { means: 'End of the free trial', sample: '29 November 2026', isRequired: true },
    firstPayment: {
      means: 'A sentence with the first payment, where a discount makes it another; else empty',
      sample: 'The first payment is $2.50.',
    },
    price,
    link: subscriptionLink,
  },
});

const welcome = defineMail({
  key: 'welcome',
  name: 'Welcome',
  when: 'To a new subscriber without a free trial.',
  text: {
    subject: 'Welcome to {site}',
    body: `Thank you for subscribing. You now have unlimited access.

Your subscription is {price}. The next payment is {nextPayment} on {nextDay}.

[See your subscription]({link})`,
    closing: cancelAnytime,
  },
  placeholders: {
    price,
    nextPayment: {
      means: 'The next payment, where a discount makes it another; else empty',
      sample: '$2.50',
    },
    nextDay: { means: 'Day of the next payment', sample: '29 November 2026', isRequired: true },
    link: subscriptionLink,
  },
});

export function welcomeMail(site: MailSite, plan: Charged & { freeUntil: Date | null; renewsAt: Date }): MailContent {
  const { freeUntil, renewsAt, nextAmount, amount, currency } = plan;
  const next = nextAmount === amount ? '' : formatMoney(nextAmount, currency);
  const values = { price: priceOf(plan), link: `${site.url}/account/subscription` };
  if (freeUntil === null)
    return renderMail(site, welcome, { ...values, nextPayment: next, nextDay: formatDay(renewsAt) });
  return renderMail(site, welcomeToTrial, {
    ...values,
    freeUntil: formatDay(freeUntil),
    firstPayment:
      next === ''
        ? ''
        : i18n._(
            /*i18n*/ {
              id: 'mail.first-payment',
              message: 'The first payment is {amount}.',
              values: { amount: next },
            },
          ),
  });
}

const trialEnds = defineMail({
  key: 'trial-ends',
  name: 'Free trial ends',
  when: 'To a subscriber before the first payment: two days, or eight if more than two weeks were free.',
  text: {
    subject: 'Your free time ends on {day}',
    body: `On {day} your subscription to {site} continues at {price}.

If you would rather not, cancel before that day and nothing is charged.

[See your subscription]({link})`,
    closing: cancelAnytime,
  },
  placeholders: {
    day: { means: 'Day of the first payment', sample: '29 November 2026', isRequired: true },
    price: {
      means: 'The price, and the one without a discount where there is one',
      sample: '$4.99 a month',
      isRequired: true,
    },
    link: subscriptionLink,
  },
});

export function trialEndsMail(site: MailSite, plan: Charged & { endsAt: Date }): MailContent {
  const { amount, nextAmount, currency } = plan;
  return renderMail(site, trialEnds, {
    day: formatDay(plan.endsAt),
    price:
      nextAmount === amount
        ? priceOf(plan)
        : i18n._(
            /*i18n*/ {
              id: 'mail.discounted-price',
              message: '{amount}; without your discount it is {price}',
              values: { amount: formatMoney(nextAmount, currency), price: priceOf(plan) },
            },
          ),
    link: `${site.url}/account/subscription`,
  });
}

const receipt = defineMail({
  key: 'receipt',
  name: 'Receipt',
  when: 'To a subscriber, after each payment.',
  text: {
    subject: 'Your receipt from {site}',
    body: `Thank you. {amount} was paid on {day}.

{invoice}

[See the invoice]({link})`,
    closing: 'The invoice can be printed from your account.',
  },
  placeholders: {
    amount: { means: 'What was paid', sample: '$4.99', isRequired: true },
    day: { means: 'Day of the payment', sample: '29 November 2026' },
    invoice: invoiceNumber,
    link: invoiceLink,
  },
});

export function receiptMail(
  site: MailSite,
  invoice: { id: string; amount: number; currency: string; number: string | null; paidAt: Date },
): MailContent {
  return renderMail(site, receipt, {
    amount: formatMoney(invoice.amount, invoice.currency),
    day: formatDay(invoice.paidAt),
    ...ofInvoice(site, invoice),
  });
}

const refund = defineMail({
  key: 'refund',
  name: 'Refund',
  when: 'To the payer, after each refund of a payment or a gift card, whole or in part.',
  text: {
    subject: 'Your refund from {site}',
    body: `We have refunded {amount}: {payment}.

It arrives on the card that you paid with, usually within 5 to 10 business days. {invoice}

[See the payment]({link})`,
    closing: 'If it has not arrived by then, your bank can tell you more.',
  },
  placeholders: {
    amount: { means: 'What is refunded', sample: '$4.99', isRequired: true },
    payment: {
      means: 'What it was paid for, and when',
      sample: 'your payment of 29 November 2026 for your subscription',
      isRequired: true,
    },
    invoice: invoiceNumber,
    link: { means: 'The invoice, or gift cards', sample: '{url}/account/invoices/sample' },
  },
});

export function refundMail(
  site: MailSite,
  refunded: {
    id: string;
    amount: number;
    currency: string;
    number: string | null;
    amountPaid: number;
    paidAt: Date | null;
    createdAt: Date;
  },
): MailContent {
  const { amount, currency, amountPaid, paidAt, createdAt } = refunded;
  const day = formatDay(paidAt ?? createdAt);
  return renderMail(site, refund, {
    amount: formatMoney(amount, currency),
    payment:
      amount >= amountPaid
        ? i18n._(
            /*i18n*/ {
              id: 'mail.refunded-payment',
              message: 'your payment of {day} for your subscription',
              values: { day },
            },
          )
        : i18n._(
            /*i18n*/ {
              id: 'mail.refunded-part',
              message: 'part of the {amount} that you paid on {day} for your subscription',
              values: { amount: formatMoney(amountPaid, currency), day },
            },
          ),
    ...ofInvoice(site, refunded),
  });
}

/** Buyers without an account have the page of the card, with its invoice. */
function giftCardsLink(site: MailSite, { id, hasAccount }: { id: string; hasAccount: boolean }): string {
  return `${site.url}${hasAccount ? '/account/gift-cards' : `/gift-card/${id}`}`;
}

export function giftRefundMail(
  site: MailSite,
  gift: {
    id: string;
    months: number;
    amount: number;
    refundAmount?: number | null;
    currency: string;
    paidAt: Date;
    hasAccount: boolean;
  },
): MailContent {
  const { months, amount, currency, paidAt } = gift;
  const refunded = gift.refundAmount ?? amount;
  const day = formatDay(paidAt);
  return renderMail(site, refund, {
    amount: formatMoney(refunded, currency),
    payment:
      refunded >= amount
        ? i18n._(
            /*i18n*/ {
              id: 'mail.refunded-gift-card',
              message: 'your payment of {day} for a gift card of {months, plural, one {a month} other {# months}}',
              values: { day, months },
            },
          )
        : i18n._(
            /*i18n*/ {
              id: 'mail.refunded-rest',
              message:
                'the rest of the {amount} that you paid on {day} for a gift card of {months, plural, one {a month} other {# months}}',
              values: { amount: formatMoney(amount, currency), day, months },
            },
          ),
    invoice: '',
    link: giftCardsLink(site, gift),
  });
}

const paymentFailed = defineMail({
  key: 'payment-failed',
  name: 'Payment failed',
  when: 'To a subscriber whose payment did not go through.',
  text: {
    subject: 'Your payment did not go through',
    body: `The payment of {amount} for your subscription to {site} did not go through.

You can listen on until {day}. Until then, please pay again or use another card.

[Update payment method]({link})`,
    closing: 'If you have already done so, you can ignore this mail.',
  },
  placeholders: {
    amount: { means: 'What is due', sample: '$4.99', isRequired: true },
    day: { means: 'How long everything stays open', sample: '29 November 2026' },
    link: { ...subscriptionLink, isRequired: true },
  },
});

export function paymentFailedMail(
  site: MailSite,
  invoice: { amount: number; currency: string; usableUntil: Date },
): MailContent {
  return renderMail(site, paymentFailed, {
    amount: formatMoney(invoice.amount, invoice.currency),
    day: formatDay(invoice.usableUntil),
    link: `${site.url}/account/subscription`,
  });
}

const providerMoved = defineMail({
  key: 'provider-moved',
  name: 'Payments move',
  when: 'To a subscriber, when an operator moves the payments to another provider.',
  text: {
    subject: 'Our payments move to {provider}',
    body: `The payments of {site} move to {provider}.

{kept} {charges} To go on after that, subscribe once more with {provider}.

[Go on with {provider}]({link})`,
    closing: 'If you do nothing, your access ends with your paid time.',
  },
  placeholders: {
    provider: { means: 'The new provider', sample: 'Verotel', isRequired: true },
    kept: {
      means: 'How long everything stays open, as it was paid for',
      sample: 'You have paid until 29 November 2026 and keep every day of it.',
      isRequired: true,
    },
    charges: {
      means: 'Whether the former provider still charges',
      sample: 'Stripe does not charge you again.',
      isRequired: true,
    },
    link: { ...subscriptionLink, isRequired: true },
  },
});

type Moved = { from: string; to: string; kind: MovedKind; paidUntil: Date; isStopped: boolean };

export function providerMovedMail(site: MailSite, { from, to, kind, paidUntil, isStopped }: Moved): MailContent {
  const values = { day: formatDay(paidUntil), from };
  return renderMail(site, providerMoved, {
    provider: to,
    kept:
      kind === 'past-due' || kind === 'trialing'
        ? i18n._(/*i18n*/ { id: 'mail.moved-open', message: 'Everything stays open for you until {day}.', values })
        : i18n._(
            /*i18n*/ {
              id: 'mail.moved-paid',
              message: 'You have paid until {day} and keep every day of it.',
              values,
            },
          ),
    charges: isStopped
      ? i18n._(/*i18n*/ { id: 'mail.moved-stopped', message: '{from} does not charge you again.', values })
      : i18n._(
          /*i18n*/ {
            id: 'mail.moved-silent',
            message:
              'We have not heard from {from}. Should it charge you again, we add that time, or you ask us for the money.',
            values,
          },
        ),
    link: `${site.url}/account/subscription`,
  });
}

const cancelThere = defineMail({
  key: 'cancel-there',
  name: 'Payments move: please cancel',
  when: 'To a subscriber at a provider that is left, where only they can cancel.',
  text: {
    subject: 'Please cancel at {former}',
    body: `The payments of {site} move to {provider}. Only you can cancel at {former}: please do, so that it does not charge you again.

[Cancel at {former}]({link})

You keep every day that you have paid for. To go on after that, subscribe once more with {provider}.`,
    closing: 'If you have already done so, you can ignore this mail.',
  },
  placeholders: {
    former: { means: 'The provider that is left', sample: 'Verotel', isRequired: true },
    provider: { means: 'The new provider', sample: 'CCBill', isRequired: true },
    link: { means: 'The provider’s page to cancel', sample: '{url}/account/subscription', isRequired: true },
  },
});

export function cancelThereMail(
  site: MailSite,
  { from, to, cancelUrl }: { from: string; to: string; cancelUrl: string | null },
): MailContent {
  const link = cancelUrl ?? `${site.url}/account/subscription`;
  return renderMail(site, cancelThere, { former: from, provider: to, link });
}

const ended = defineMail({
  key: 'subscription-ended',
  name: 'Subscription ended',
  when: 'To a user whose subscription has ended.',
  text: {
    subject: 'Your subscription has ended',
    body: `Your subscription to {site} has ended. You will not be charged again.

Your account, your library and your history stay as they are. You can come back at any time.

[Subscribe again]({link})`,
    closing: 'Thank you for having been a subscriber.',
  },
  placeholders: { link: subscriptionLink },
});

export function endedMail(site: MailSite): MailContent {
  return renderMail(site, ended, { link: `${site.url}/account/subscription` });
}

const monthsOf = (months: number) =>
  i18n._(
    /*i18n*/ {
      id: 'mail.months',
      message: '{months, plural, one {a month} other {# months}}',
      values: { months },
    },
  );

const gift = defineMail({
  key: 'gift',
  name: 'Gift card',
  when: 'To the recipient of a gift card, on the day that the buyer chose.',
  text: {
    subject: 'A gift for you at {site}',
    body: `{sender} gives you {months} of unlimited listening at {site}.

{message}

Your code is {code}.

[Redeem your gift]({link})`,
    closing: 'The code can be used once. It needs an account, which costs nothing.',
  },
  placeholders: {
    sender: { means: 'Name of the giver, or Someone', sample: 'Iris' },
    months: { means: 'How long', sample: '3 months' },
    message: { means: 'What the giver wrote; may be empty', sample: 'For the long evenings.', isRequired: true },
    code: { means: 'The code', sample: 'ABCD-EFGH-JKLM', isRequired: true },
    link: { means: 'Where the code is redeemed', sample: '{url}/gift-card/redeem' },
  },
});

/** To the recipient of the gift; the message is quoted verbatim. */
export function giftMail(
  site: MailSite,
  given: { code: string; months: number; senderName: string | null; message: string | null },
): MailContent {
  return renderMail(site, gift, {
    sender: given.senderName ?? i18n._(/*i18n*/ { id: 'mail.someone', message: 'Someone' }),
    months: monthsOf(given.months),
    message: given.message ?? '',
    code: given.code,
    link: `${site.url}/gift-card/redeem`,
  });
}

const giftBought = defineMail({
  key: 'gift-bought',
  name: 'Gift card bought',
  when: 'To the buyer of a gift card.',
  text: {
    subject: 'Your gift card from {site}',
    body: `Thank you. {amount} was paid on {paidDay} for a gift card of {months}.

Its code is emailed on {deliveryDay} to the address you gave.

[See gift cards]({link})`,
    closing: 'Refundable until it is redeemed.',
  },
  placeholders: {
    amount: { means: 'What was paid', sample: '$14.97', isRequired: true },
    paidDay: { means: 'Day of the payment', sample: '29 November 2026' },
    months: { means: 'How long it is', sample: '3 months' },
    deliveryDay: { means: 'Day on which the code is emailed', sample: '24 December 2026' },
    link: { means: 'Gift cards', sample: '{url}/gift-card' },
  },
});

export function giftBoughtMail(
  site: MailSite,
  bought: {
    id: string;
    months: number;
    amount: number;
    currency: string;
    deliverAt: Date;
    paidAt: Date;
    hasAccount: boolean;
  },
): MailContent {
  return renderMail(site, giftBought, {
    amount: formatMoney(bought.amount, bought.currency),
    paidDay: formatDay(bought.paidAt),
    months: monthsOf(bought.months),
    deliveryDay: formatDay(bought.deliverAt),
    link: giftCardsLink(site, bought),
  });
}

export const membershipMails = [
  welcomeToTrial,
  welcome,
  trialEnds,
  receipt,
  refund,
  paymentFailed,
  ended,
  providerMoved,
  cancelThere,
  ...keepingMails,
  ...pauseMails,
  gift,
  giftBought,
  ...tipMails,
];

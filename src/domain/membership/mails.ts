import { countOf, formatDay, formatMoney } from '../kernel/rules.ts';
import type { EmailTemplate, MailContent, MailSite } from '../kernel/email-template.ts';
import { renderEmail } from '../kernel/email-template.ts';
import type { Period } from './rules.ts';

/** Mails about a membership. None of them names what anyone listens to. */

type Price = { amount: number; currency: string; period: Period };
/** `nextAmount`: the next charge, after a discount. */
type Charged = Price & { nextAmount: number };

const priceOf = ({ amount, currency, period }: Price) => `${formatMoney(amount, currency)} a ${period}`;

function letter(site: MailSite, content: Omit<EmailTemplate, 'action'> & { path: string; label: string }): MailContent {
  const { path, label, ...rest } = content;
  return renderEmail(site, { ...rest, action: { label, url: site.url + path } });
}

const cancelAnytime = 'You can cancel anytime in your account.';

export function welcomeMail(site: MailSite, plan: Charged & { freeUntil: Date | null; renewsAt: Date }): MailContent {
  const { freeUntil, renewsAt, nextAmount, amount, currency } = plan;
  const next = nextAmount === amount ? '' : ` ${formatMoney(nextAmount, currency)}`;
  return letter(site, {
    subject: `Welcome to ${site.name}`,
    paragraphs: [
      'Thank you for subscribing. Everything is open to you now.',
      freeUntil === null
        ? `Your subscription is ${priceOf(plan)}. The next payment is${next} on ${formatDay(renewsAt)}.`
        : `It is free until ${formatDay(freeUntil)}. ${next === '' ? '' : `The first payment is${next}. `}After that it is ${priceOf(plan)}.`,
    ],
    path: '/account/subscription',
    label: 'See your subscription',
    closing: cancelAnytime,
  });
}

export function trialEndsMail(site: MailSite, plan: Charged & { endsAt: Date }): MailContent {
  const { amount, nextAmount, currency } = plan;
  return letter(site, {
    subject: `Your free time ends on ${formatDay(plan.endsAt)}`,
    paragraphs: [
      `On ${formatDay(plan.endsAt)} your subscription to ${site.name} goes on at ${nextAmount === amount ? priceOf(plan) : `${formatMoney(nextAmount, currency)}; without your discount it is ${priceOf(plan)}`}.`,
      'If you would rather not, cancel before that day and nothing is charged.',
    ],
    path: '/account/subscription',
    label: 'See your subscription',
    closing: cancelAnytime,
  });
}

export function receiptMail(
  site: MailSite,
  invoice: { id: string; amount: number; currency: string; number: string | null; paidAt: Date },
): MailContent {
  return letter(site, {
    subject: `Your receipt from ${site.name}`,
    paragraphs: [
      `Thank you. ${formatMoney(invoice.amount, invoice.currency)} was paid on ${formatDay(invoice.paidAt)}.`,
      ...(invoice.number === null ? [] : [`Invoice ${invoice.number}.`]),
    ],
    path: `/account/invoices/${invoice.id}`,
    label: 'See the invoice',
    closing: 'The invoice can be printed from your account.',
  });
}

export function paymentFailedMail(
  site: MailSite,
  invoice: { amount: number; currency: string; usableUntil: Date },
): MailContent {
  return letter(site, {
    subject: 'Your payment did not go through',
    paragraphs: [
      `The payment of ${formatMoney(invoice.amount, invoice.currency)} for your subscription to ${site.name} did not go through.`,
      `You can listen on until ${formatDay(invoice.usableUntil)}. Until then, please pay again or use another card.`,
    ],
    path: '/account/subscription',
    label: 'Mend the payment',
    closing: 'If you have done so already, there is nothing more to do.',
  });
}

export function endedMail(site: MailSite): MailContent {
  return letter(site, {
    subject: 'Your subscription has ended',
    paragraphs: [
      `Your subscription to ${site.name} has ended. Nothing is charged any more.`,
      'Your account, your library and your history stay as they are. You can come back at any time.',
    ],
    path: '/account/subscription',
    label: 'Subscribe again',
    closing: 'Thank you for having been here.',
  });
}

const monthsOf = (months: number) => (months === 1 ? 'a month' : countOf(months, 'month'));

/** To the recipient of the gift; the message is quoted verbatim. */
export function giftMail(
  site: MailSite,
  gift: { code: string; months: number; senderName: string | null; message: string | null },
): MailContent {
  return letter(site, {
    subject: `A gift for you at ${site.name}`,
    paragraphs: [
      `${gift.senderName ?? 'Someone'} gives you ${monthsOf(gift.months)} of unlimited listening at ${site.name}.`,
      ...(gift.message === null
        ? []
        : gift.message
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')),
      `Your code is ${gift.code}.`,
    ],
    path: '/gift-card/redeem',
    label: 'Redeem your gift',
    closing: 'The code can be used once. It needs an account, which costs nothing.',
  });
}

export function giftBoughtMail(
  site: MailSite,
  gift: { months: number; amount: number; currency: string; deliverAt: Date; paidAt: Date },
): MailContent {
  return letter(site, {
    subject: `Your gift card from ${site.name}`,
    paragraphs: [
      `Thank you. ${formatMoney(gift.amount, gift.currency)} was paid on ${formatDay(gift.paidAt)} for a gift card of ${monthsOf(gift.months)}.`,
      `Its code is mailed on ${formatDay(gift.deliverAt)} to the address you gave.`,
    ],
    path: '/gift-card',
    label: 'See gift cards',
    closing: 'Refundable until it is redeemed.',
  });
}

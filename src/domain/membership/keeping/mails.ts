import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';
import { i18n } from '#i18n';
import { formatPercent } from '#formats/decimals.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay, formatMonth } from '#formats/times.ts';

/** Mails before something ends or is charged, and one to come back. */

const dayMs = 24 * 60 * 60 * 1000;
const subscriptionLink = { means: 'The subscription', sample: '{url}/account/subscription' };

const cardExpires = defineMail({
  key: 'card-expires',
  name: 'Card expires',
  when: 'To a subscriber whose card ends before the next payment, about 30 days before it.',
  text: {
    subject: 'Your card ends before your next payment',
    body: `The card for your subscription to {site} is valid until the end of {month}. The next payment is on {day}.

If you have a new card, please enter it before that day, so that everything stays open for you.

[Change card]({link})`,
    closing:
      'Many banks tell us of a new card by themselves. If you have changed it already, you can ignore this mail.',
  },
  placeholders: {
    month: { means: 'Last month of the card', sample: 'December 2026', isRequired: true },
    day: { means: 'Day of the next payment', sample: '14 January 2027', isRequired: true },
    link: { ...subscriptionLink, isRequired: true },
  },
});

/** @param card.expires as it is stored, such as `2027-03` */
export function cardExpiresMail(site: MailSite, card: { expires: string; chargeAt: Date }): MailContent {
  return renderMail(site, cardExpires, {
    month: formatMonth(card.expires),
    day: formatDay(card.chargeAt),
    link: `${site.url}/account/subscription`,
  });
}

const renewal = defineMail({
  key: 'renewal',
  name: 'Yearly renewal',
  when: 'To a subscriber who pays by the year, before each renewal.',
  text: {
    subject: 'Your subscription renews on {day}',
    body: `Your subscription to {site} renews for another year on {day}. {amount} is charged then. {tax}

If you do not want to go on, cancel on {lastDay} at the latest. {howTo} {outcome}

[Your subscription]({link})`,
    closing: 'If you want to go on, you need not do anything.',
  },
  placeholders: {
    day: { means: 'Day of the renewal', sample: '29 November 2026', isRequired: true },
    amount: { means: 'What will be charged, with what is left of a discount', sample: '$59.88', isRequired: true },
    tax: {
      means: 'A sentence with the tax in it, where invoices have tax; else empty',
      sample: 'This includes $9.56 of VAT (19%).',
    },
    lastDay: { means: 'Last day on which it can be canceled', sample: '28 November 2026', isRequired: true },
    howTo: {
      means: 'How it is canceled: here, or on the page of the payment provider',
      sample: 'Open your subscription and choose “Cancel subscription”.',
      isRequired: true,
    },
    outcome: {
      means: 'What follows if it is canceled; before and during a pause without the day',
      sample: 'Nothing is charged then, and you can listen until 29 November 2026.',
      isRequired: true,
    },
    link: { means: 'Where it is canceled', sample: '{url}/account/subscription', isRequired: true },
  },
});

export type ComingCharge = {
  at: Date;
  amount: number;
  currency: string;
  /** By a pause, which ends with it. */
  isPaused: boolean;
  /** Undefined: the invoice will have none. */
  tax: { amount: number; permille: number | undefined } | undefined;
  /** The provider’s page, if only the subscriber can cancel, there. */
  cancelAt: { provider: string; url: string } | undefined;
};

export function renewalMail(
  site: MailSite,
  { at, amount, currency, isPaused, tax, cancelAt }: ComingCharge,
): MailContent {
  return renderMail(site, renewal, {
    day: formatDay(at),
    amount: formatMoney(amount, currency),
    tax:
      tax === undefined
        ? ''
        : tax.permille === undefined
          ? i18n._(
              /*i18n*/ {
                id: 'mail.taxes-included',
                message: 'This includes {tax} of tax.',
                values: { tax: formatMoney(tax.amount, currency) },
              },
            )
          : i18n._(
              /*i18n*/ {
                id: 'mail.tax-included',
                message: 'This includes {tax} of VAT ({rate}).',
                values: { tax: formatMoney(tax.amount, currency), rate: formatPercent(tax.permille / 10) },
              },
            ),
    // The day of the renewal begins earlier in other time zones.
    lastDay: formatDay(new Date(at.getTime() - dayMs)),
    howTo:
      cancelAt === undefined
        ? i18n._(
            /*i18n*/ { id: 'mail.cancel-here', message: 'Open your subscription and choose “Cancel subscription”.' },
          )
        : i18n._(
            /*i18n*/ {
              id: 'mail.cancel-there',
              message: 'You pay through {provider}: cancel on its page.',
              values: { provider: cancelAt.provider },
            },
          ),
    outcome: isPaused
      ? i18n._(/*i18n*/ { id: 'mail.then-nothing', message: 'Nothing is charged then.' })
      : i18n._(
          /*i18n*/ {
            id: 'mail.then-listening',
            message: 'Nothing is charged then, and you can listen until {day}.',
            values: { day: formatDay(at) },
          },
        ),
    link: cancelAt?.url ?? `${site.url}/account/subscription`,
  });
}

const prepaidEnds = defineMail({
  key: 'prepaid-ends',
  name: 'Prepaid time ends',
  when: 'To a subscriber with a provider through which nothing renews, a week before the paid time ends.',
  text: {
    subject: 'Your paid time ends on {day}',
    body: `What you have paid for at {site} ends on {day}. Nothing renews by itself, and nothing is charged.

To go on listening, pay for more time. It begins when the time before it has ended, so no day is lost.

[Your subscription]({link})`,
    closing: 'If you do not want to go on, you need not do anything.',
  },
  placeholders: {
    day: { means: 'Last day of the paid time', sample: '29 November 2026', isRequired: true },
    link: subscriptionLink,
  },
});

export function prepaidEndsMail(site: MailSite, { endsAt }: { endsAt: Date }): MailContent {
  return renderMail(site, prepaidEnds, { day: formatDay(endsAt), link: `${site.url}/account/subscription` });
}

const winBack = defineMail({
  key: 'win-back',
  name: 'Win-back',
  when: 'To a former subscriber who gets emails about news, some time after the subscription has ended. Off by default.',
  text: {
    subject: '{percent} off, if you come back to {site}',
    body: `Your subscription to {site} has ended. If you would like to come back, the code {code} takes {percent} off {span}.

It is yours alone, works once, and until {lastDay}.

[Subscribe with {percent} off]({link})`,
    closing: 'You get this email because you asked for news. Unsubscribe: {unsubscribe}',
  },
  placeholders: {
    percent: { means: 'The discount', sample: '25%', isRequired: true },
    span: { means: 'The payments that it is for', sample: 'your payments of the first 3 months' },
    code: { means: 'The code', sample: 'ABCDEFGHJKMN', isRequired: true },
    lastDay: { means: 'Last day on which the code can be used', sample: '29 December 2026' },
    link: { means: 'Where they subscribe with the code', sample: '{url}/account/subscription?promoCode=SAMPLE' },
    unsubscribe: { means: 'The link that ends such emails', sample: '{url}/unsubscribe/sample', isRequired: true },
  },
});

export function winBackMail(
  site: MailSite,
  offer: {
    code: string;
    percentOff: number;
    /** Undefined: the first payment alone. */
    months: number | undefined;
    expiresAt: Date;
    unsubscribeUrl: string;
  },
): MailContent {
  const { code, percentOff, months, expiresAt, unsubscribeUrl } = offer;
  return renderMail(site, winBack, {
    percent: formatPercent(percentOff),
    span:
      months === undefined
        ? i18n._(/*i18n*/ { id: 'mail.first-payment-only', message: 'your first payment' })
        : i18n._(
            /*i18n*/ {
              id: 'mail.first-months',
              message:
                '{months, plural, one {your payments of the first month} other {your payments of the first # months}}',
              values: { months },
            },
          ),
    code,
    lastDay: formatDay(new Date(expiresAt.getTime() - dayMs)),
    link: `${site.url}/account/subscription?promoCode=${code}`,
    unsubscribe: unsubscribeUrl,
  });
}

export const keepingMails = [cardExpires, renewal, prepaidEnds, winBack];

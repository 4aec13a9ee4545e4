import { expect, test } from 'vitest';
import { formatMoney } from '#formats/numbers.ts';
import * as mails from './mails.ts';

const site = { name: `Sotto <b>"&'`, url: 'https://sotto.example' };
const plan = { amount: 799, nextAmount: 799, currency: 'usd', period: 'month' as const };
const day = new Date('2027-03-14T12:00:00Z');

const all = {
  welcome: mails.welcomeMail(site, { ...plan, freeUntil: day, renewsAt: day }),
  'welcome without a trial': mails.welcomeMail(site, { ...plan, freeUntil: null, renewsAt: day }),
  'trial ends': mails.trialEndsMail(site, { ...plan, endsAt: day }),
  receipt: mails.receiptMail(site, { id: 'an-id', amount: 799, currency: 'usd', number: 'A-1', paidAt: day }),
  refund: mails.refundMail(site, {
    id: 'an-id',
    amount: 300,
    currency: 'usd',
    number: 'A-1',
    amountPaid: 799,
    paidAt: day,
    createdAt: day,
  }),
  'refund of a gift card': mails.giftRefundMail(site, {
    id: 'an-id',
    months: 1,
    amount: 799,
    currency: 'usd',
    paidAt: day,
    hasAccount: true,
  }),
  'payment failed': mails.paymentFailedMail(site, { amount: 799, currency: 'usd', usableUntil: day }),
  ended: mails.endedMail(site),
  gift: mails.giftMail(site, { code: 'AAAA-BBBB', months: 3, senderName: '<i>Ada</i>', message: 'One\n\n<script>' }),
  'gift bought': mails.giftBoughtMail(site, {
    id: 'an-id',
    months: 1,
    amount: 799,
    currency: 'usd',
    deliverAt: day,
    paidAt: day,
    hasAccount: false,
  }),
};

test.each(Object.entries(all))('%s: nothing in it loads anything or escapes its place', (_name, mail) => {
  expect(mail.html).not.toMatch(/<(?:img|link|script|style|iframe|i|b)\b|\bsrc=|url\(|@import/i);
  expect(mail.html).toContain('Sotto &lt;b&gt;&quot;&amp;&#39;');
  for (const text of [mail.text, mail.html]) expect(text).toMatch(/https:\/\/sotto\.example\/(?:account|gift-card)/);
  expect(mail.subject).not.toMatch(/\n/);
});

test('amounts and days follow the currency and the calendar', () => {
  expect(all.welcome.text).toContain('It is free until 14 March 2027. After that it is $7.99 a month.');
  const half = { ...plan, nextAmount: 399 };
  expect(mails.welcomeMail(site, { ...half, freeUntil: day, renewsAt: day }).text).toContain(
    'The first payment is $3.99. After that it is $7.99 a month.',
  );
  expect(mails.welcomeMail(site, { ...half, freeUntil: null, renewsAt: day }).text).toContain(
    'The next payment is $3.99 on 14 March 2027.',
  );
  expect(mails.trialEndsMail(site, { ...half, endsAt: day }).text).toContain(
    'continues at $3.99; without your discount it is $7.99 a month.',
  );
  expect(all['payment failed'].text).toContain('You can listen on until 14 March 2027.');
  expect(all.gift.text).toContain('Your code is AAAA-BBBB.');
  expect(formatMoney(5988, 'eur')).toBe('€59.88');
});

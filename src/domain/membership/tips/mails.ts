import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

/** Mails about tips name no creator's titles and no notes: others may read them. */

type TipFacts = { id: string; amount: number; currency: string; voiceName: string; paidAt: Date | null };

const amountPaid = { means: 'What was paid', sample: '$5.00', isRequired: true } as const;
const day = { means: 'Day of the payment', sample: '29 November 2026' } as const;

const given = defineMail({
  key: 'tip-given',
  name: 'Tip given',
  when: 'To whoever has paid a tip.',
  text: {
    subject: 'Your receipt from {site}',
    body: `Thank you. {amount} was paid on {day} as a tip.

[See the tip]({link})`,
    closing: 'You get this message because you gave a tip at {site}.',
  },
  placeholders: {
    amount: amountPaid,
    day,
    link: { means: 'The tip, with its invoice', sample: '{url}/tip/sample' },
  },
});

const received = defineMail({
  key: 'tip-received',
  name: 'Tip received, to the owners of a creator',
  when: 'When a tip is paid. The note and the name are in the Studio only.',
  text: {
    subject: 'A tip for {creator}',
    body: `Somebody gave {creator} a tip of {amount} on {day}. What is yours of it is in your earnings, with the note if there is one.

[See your earnings]({link})`,
    closing: 'You get this message because you own {creator} at {site}.',
  },
  placeholders: {
    creator: { means: 'Name of the creator', sample: 'Maren Holt', isRequired: true },
    amount: amountPaid,
    day,
    link: { means: 'Earnings in the Studio', sample: '{url}/studio/maren-holt/earnings', isRequired: true },
  },
});

const refunded = defineMail({
  key: 'tip-refunded',
  name: 'Tip refunded',
  when: 'To whoever has paid a tip that is paid back.',
  text: {
    subject: 'Your refund from {site}',
    body: `We have refunded {amount}: your tip of {day}.

It arrives on the card that you paid with, usually within 5 to 10 business days.`,
    closing: 'If it has not arrived by then, your bank can tell you more.',
  },
  placeholders: { amount: { means: 'What is refunded', sample: '$5.00', isRequired: true }, day },
});

const factsOf = ({ amount, currency, paidAt }: TipFacts) => ({
  amount: formatMoney(amount, currency),
  day: formatDay(paidAt ?? new Date()),
});

export function tipGivenMail(site: MailSite, tip: TipFacts & { voiceId: string }): MailContent {
  return renderMail(site, given, { ...factsOf(tip), link: `${site.url}/tip/${tip.voiceId}?tip=${tip.id}` });
}

export function tipReceivedMail(site: MailSite, tip: TipFacts & { slug: string }): MailContent {
  const link = `${site.url}/studio/${tip.slug}/earnings`;
  return renderMail(site, received, { ...factsOf(tip), creator: tip.voiceName, link });
}

export function tipRefundMail(site: MailSite, tip: TipFacts): MailContent {
  return renderMail(site, refunded, factsOf(tip));
}

export const tipMails = [given, received, refunded];

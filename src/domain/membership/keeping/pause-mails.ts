import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';

const placeholders = {
  from: { means: 'First day of the pause', sample: '3 January 2027', isRequired: true },
  until: { means: 'Day of the next payment', sample: '3 March 2027', isRequired: true },
  amount: { means: 'The next payment', sample: '$4.99', isRequired: true },
  link: { means: 'The subscription', sample: '{url}/account/subscription' },
} as const;

const pauseAgreed = defineMail({
  key: 'pause-agreed',
  name: 'Pause agreed',
  when: 'To a subscriber who pauses.',
  text: {
    subject: 'Your pause from {from} to {until}',
    body: `Your subscription to {site} is paused from {from} to {until}. Until it begins, you can listen as before.

Nothing is charged during the pause. On {until} your subscription goes on, and {amount} is charged.

[See your subscription]({link})`,
    closing: 'You can end the pause or cancel at any time in your account.',
  },
  placeholders,
});

const pauseEnds = defineMail({
  key: 'pause-ends',
  name: 'Pause ends',
  when: 'To a subscriber, seven days before a pause ends and the next payment is made.',
  text: {
    subject: 'Your pause ends on {until}',
    body: `On {until} your subscription to {site} goes on, and {amount} is charged.

If you would rather not, cancel before that day and nothing is charged.

[See your subscription]({link})`,
    closing: 'You can cancel anytime in your account.',
  },
  placeholders: { ...placeholders, from: { means: placeholders.from.means, sample: placeholders.from.sample } },
});

export function pauseMail(
  site: MailSite,
  kind: 'pause-agreed' | 'pause-ends',
  { fromAt, untilAt, amount, currency }: { fromAt: Date; untilAt: Date; amount: number; currency: string },
): MailContent {
  return renderMail(site, kind === 'pause-agreed' ? pauseAgreed : pauseEnds, {
    from: formatDay(fromAt),
    until: formatDay(untilAt),
    amount: formatMoney(amount, currency),
    link: `${site.url}/account/subscription`,
  });
}

export const pauseMails = [pauseAgreed, pauseEnds];

import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';

const feedStopped = defineMail({
  key: 'feed-stopped',
  name: 'Podcast feed stopped',
  when: 'To a subscriber, when the address of a podcast feed is used from too many networks.',
  text: {
    subject: 'One of your podcast feeds was stopped',
    body: `The address of a podcast feed that you made on {made} was used from more than {networks} networks on one day. Feed addresses are personal, so it seems that others have it. We stopped the feed.

Nothing else has changed: your subscription and your other feeds go on.

If you want the feed back, make a new address for it, and add that one to your podcast app.

[See your podcast feeds]({link})`,
    closing: 'If you did not share the address, a new one is all you need.',
  },
  placeholders: {
    made: { means: 'Day on which the feed was made', sample: '29 November 2026' },
    networks: { means: 'How many networks a day are allowed', sample: '20' },
    link: { means: 'The podcast feeds', sample: '{url}/account/feeds', isRequired: true },
  },
});

/** Names no title: a mail may be read by others. */
export function feedStoppedMail(site: MailSite, values: { made: string; networks: number }): MailContent {
  return renderMail(site, feedStopped, {
    made: values.made,
    networks: String(values.networks),
    link: `${site.url}/account/feeds`,
  });
}

export const feedMails = [feedStopped];

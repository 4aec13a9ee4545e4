import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

const changed = defineMail({
  key: 'payee-changed',
  name: 'Who is paid has changed, to the owners of a creator',
  when: 'When an owner enters, changes or removes who is paid for a creator. Contains nothing of what was entered.',
  text: {
    subject: 'Who is paid for {creator} has changed',
    body: `An owner of {creator} at {site} has changed who is paid for it, or their bank or tax data. Please check that this is right.

[Open Earnings]({link})`,
    closing: 'You get this message because you own {creator} at {site}.',
  },
  placeholders: {
    creator: { means: 'Name of the creator', sample: 'Maren Holt', isRequired: true },
    link: { means: 'The page Earnings in the Studio', sample: '{url}/studio/maren-holt/earnings', isRequired: true },
  },
});

export function payeeChangedMail(site: MailSite, { name, slug }: { name: string; slug: string }): MailContent {
  return renderMail(site, changed, { creator: name, link: `${site.url}/studio/${slug}/earnings` });
}

export const payeeMails = [changed];

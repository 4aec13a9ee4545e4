import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

const feedOwner = defineMail({
  key: 'feed-owner',
  name: 'Code for the import of a feed, to its owner',
  when: 'To the owner’s address in a feed that a creator wants to import. It proves that the feed is theirs.',
  text: {
    subject: 'Code for the import of your feed: {code}',
    body: `{creator} would like to import the feed of your podcast at {site}, with its episodes and their sound. Your address stands in the feed as that of its owner.

If that is you, or you agree, the code is: {code}

It is entered in the Studio, at Import, within a day. Without it nothing is imported.`,
    closing: 'If you know nothing of this, you need not do anything.',
  },
  placeholders: {
    creator: { means: 'Name of the creator who imports', sample: 'Maren Holt', isRequired: true },
    code: { means: 'The code', sample: 'ABCD-EFGH', isRequired: true },
  },
});

export function feedOwnerMail(site: MailSite, values: { creator: string; code: string }): MailContent {
  return renderMail(site, feedOwner, values);
}

export const feedImportMails = [feedOwner];

import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

const asked = defineMail({
  key: 'split-asked',
  name: 'Shares of earnings are proposed, to the owners of a creator',
  when: 'When another creator proposes how to share the earnings of an audio. Names no audio: mails may be read by others.',
  text: {
    subject: '{creator} proposes shares to {payee}',
    body: `{creator} proposes how to share the earnings of an audio at {site} with {payee}.

The shares count once everyone has agreed, from the first day of that month.

[Open Credits]({link})`,
    closing: 'You get this message because you own {payee} at {site}.',
  },
  placeholders: {
    creator: { means: 'Name of the creator whose audio it is', sample: 'Maren Holt', isRequired: true },
    payee: { means: 'Name of the creator who is asked', sample: 'Idris Vale', isRequired: true },
    link: { means: 'The page Credits in the Studio', sample: '{url}/studio/idris-vale/credits', isRequired: true },
  },
});

export function splitAskedMail(
  site: MailSite,
  { slug, ...names }: { creator: string; payee: string; slug: string },
): MailContent {
  return renderMail(site, asked, { ...names, link: `${site.url}/studio/${slug}/credits` });
}

export const splitMails = [asked];

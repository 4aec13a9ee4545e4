import { type CreditRole, creditDescriptions } from '../../catalogue/credits/rules.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

const asked = defineMail({
  key: 'credit-asked',
  name: 'A creator is named in credits, to its owners',
  when: 'When another creator names this one in the credits of an audio. Names no audio: mails may be read by others.',
  text: {
    subject: '{creator} would like to credit {credited}',
    body: `{creator} names {credited} in the credits of an audio at {site}, as: {role}.

Listeners see it only if you accept. You can take it back later.

[Open Credits]({link})`,
    closing: 'You get this message because you own {credited} at {site}.',
  },
  placeholders: {
    creator: { means: 'Name of the creator whose audio it is', sample: 'Maren Holt', isRequired: true },
    credited: { means: 'Name of the creator who is credited', sample: 'Idris Vale', isRequired: true },
    role: { means: 'The part in the audio', sample: 'Performer' },
    link: { means: 'The page Credits in the Studio', sample: '{url}/studio/idris-vale/credits', isRequired: true },
  },
});

export function creditAskedMail(
  site: MailSite,
  { role, slug, ...names }: { creator: string; credited: string; slug: string; role: CreditRole },
): MailContent {
  const link = `${site.url}/studio/${slug}/credits`;
  return renderMail(site, asked, { ...names, role: creditDescriptions[role].label(), link });
}

export const creditMails = [asked];

import { eq } from 'drizzle-orm';
import { returnText } from '../../catalogue/review/wording-rules.ts';
import { voiceOwners } from '../../community/tables.ts';
import type { Mail } from '../../gateways.ts';
import { mailTo } from '../../identity/account-language.ts';
import { users } from '../../identity/tables.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';
import type { ReviewForm } from '../forms.ts';
import { shorten } from '../people/report-mails.ts';

export type ReviewParts = { db: Db; site: MailSite; mail: Pick<Mail, 'queue'> };

const audio = { means: 'Title of the audio', sample: 'Bright Star' };
const link = { means: 'The audio in the Studio', sample: '{url}/studio', isRequired: true } as const;

const approved = defineMail({
  key: 'review-approved',
  name: 'Audio approved',
  when: 'To the owners and editors of a creator, when a reviewer approved an audio.',
  text: {
    subject: '“{audio}” was approved',
    body: `“{audio}” was reviewed and approved. It goes online at once, or at the time that you chose.

[See it in the Studio]({link})`,
    closing: '',
  },
  placeholders: { audio, link },
});

const returned = defineMail({
  key: 'review-returned',
  name: 'Audio returned',
  when: 'To the owners and editors of a creator, when a reviewer returned an audio.',
  text: {
    subject: '“{audio}” was returned to you',
    body: `“{audio}” was reviewed and is not online yet. The reviewer writes:

{reason}

You can change it and send it for review again.

[See it in the Studio]({link})`,
    closing: '{answer}',
  },
  placeholders: {
    audio,
    link,
    reason: { means: 'Words of the reviewer', sample: 'The last line differs from the text.' },
  },
  answer: { asked: 'If you think that this is a mistake, reply to this message.', otherwise: '' },
});

const notPublished = defineMail({
  key: 'comment-not-published',
  name: 'Comment not published, to its author',
  when: 'When a reviewer did not publish a comment with a watched word.',
  text: {
    subject: 'Your comment was not published',
    body: `Under “{audio}” you wrote: “{comment}”

The comment has a word that is on the list of {site}, so a person read it first. It was not published.

[Read the terms]({link})`,
    closing: '{answer}',
  },
  placeholders: {
    audio,
    comment: { means: 'Beginning of the comment', sample: 'Nobody should have to listen to this.' },
    link: { means: 'The terms', sample: '{url}/terms' },
  },
  answer: { asked: 'If you think that this is a mistake, reply to this message.', otherwise: '' },
});

export function notPublishedMail(site: MailSite, { title, text }: { title: string; text: string }): MailContent {
  return renderMail(site, notPublished, { audio: title, comment: shorten(text), link: `${site.url}/terms` });
}

export const reviewMails = [approved, returned, notPublished];

/** To the owners and editors of the creator; leaves with the transaction. */
export async function queueReviewMails(
  { db, site, mail }: ReviewParts,
  { audioId, voiceId, voiceSlug, title }: { audioId: string; voiceId: string; voiceSlug: string; title: string },
  form: ReviewForm,
): Promise<void> {
  const values = { audio: title, link: `${site.url}/studio/${voiceSlug}/audios/${audioId}` };
  const write = (): MailContent =>
    form.decision === 'approved'
      ? renderMail(site, approved, values)
      : renderMail(site, returned, {
          ...values,
          reason: [form.canned && returnText(form.reasonKind), form.reason].filter(Boolean).join('\n'),
        });
  const people = await db
    .select({ email: users.email })
    .from(voiceOwners)
    .innerJoin(users, eq(users.id, voiceOwners.userId))
    .where(eq(voiceOwners.voiceId, voiceId));
  for (const { email } of people) if (email !== null) await mail.queue(db, await mailTo(db, email, write));
}

import type { Chain } from '#domain/admin/content/chain-archive.ts';
import { agreementBlocks } from '#domain/verification/rules.ts';
import { type Page, canDraw, makePdf } from '../../pdf.ts';

/** Files for an acquirer or an authority, in English like all that is for others. */

type Facts = { name: string; url: string };
type Records = Omit<Chain['creator'], 'name' | 'isHeard' | 'former'>;
type Agreement = Records['agreements'][number];

const time = (at: string | null) => (at === null ? undefined : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`);
const yes = (is: boolean) => (is ? 'yes' : 'no');

/** Facts that are there; the others are left out. */
function list(page: Page, facts: Record<string, string | null | undefined>): void {
  for (const [label, value] of Object.entries(facts)) if (value) page.fact(label, value);
}

/** The chain of one audio, but for the words of agreements, which are a file of their own. */
export async function chainPdf(site: Facts, chain: Chain): Promise<Buffer> {
  const { audio, creator, gap } = chain;
  const title = `Archive: ${audio.title}`;
  return makePdf({ title, author: site.name, createdAt: new Date(chain.madeAt), lang: 'en' }, (page) => {
    page.title('Archive of one audio');
    list(page, {
      Title: audio.title,
      Site: `${site.name}, ${site.url}`,
      ID: audio.id,
      Sound: audio.sound,
      Original: audio.original,
      Created: time(audio.createdAt),
      Published: time(audio.publishedAt),
      'First time': time(audio.firstPublishedAt),
      Deleted: time(audio.deletedAt),
      Made: time(chain.madeAt),
      Complete: gap === null ? 'Nothing that the site asks for is missing.' : `No: ${gap}`,
    });
    page.heading('Uploads');
    if (chain.uploads.length === 0) page.text('None on this site.');
    for (const { at, by, fileName, replaces } of chain.uploads)
      page.text(
        `${time(at)}: ${fileName}, by ${by ?? 'an account that is gone'}${replaces ? ', in place of the former file' : ''}`,
      );
    page.heading(`Creator: ${creator.name}`);
    page.text(creator.isHeard ? 'The creator is heard.' : 'The creator is not heard.');
    writeRecords(page, creator);
    for (const { name, ...former } of creator.former) {
      page.heading(`Formerly: ${name}`);
      page.text('Merged into the creator since; what did not move with the merge.');
      writeRecords(page, former);
    }
    for (const [index, { name, email, verification, consent }] of chain.performers.entries()) {
      page.heading(`Performer ${index + 1}: ${name ?? 'not credited'}`);
      list(page, {
        Email: email,
        Check: verification.method && `${verification.method}, ${verification.reference ?? 'no reference'}`,
        'Checked on': verification.checkedOn,
        'Counts until': verification.until,
        Consent: consent.state,
        Recorded: yes(consent.recorded),
        Published: yes(consent.published),
        Downloaded: yes(consent.downloaded),
        Sound: consent.sound,
        Sent: time(consent.sentAt),
        Opened: time(consent.openedAt),
        Answered: time(consent.answeredAt),
        Reference: consent.reference,
      });
    }
    page.heading('Reviews');
    if (chain.reviews.length === 0) page.text('None.');
    for (const { sentAt, cause, decision, decidedAt, by, reason } of chain.reviews)
      page.text(
        `${time(sentAt)}: ${cause}; ${decision === null ? 'waits' : `${decision} ${time(decidedAt) ?? ''} by ${by ?? 'the command line'}`}${reason ? `: ${reason}` : ''}`,
      );
    page.heading('Acts of the log');
    for (const { at, action, role, by } of chain.acts)
      page.text(`${time(at)}: ${action}, ${role}${by === null ? '' : ` ${by}`}`);
  });
}

function writeRecords(page: Page, { verification: one, agreements }: Records): void {
  list(page, {
    Verified: one.state,
    Method: one.method,
    Reference: one.reference,
    'Checked on': one.checkedOn,
    'Counts until': one.until,
    Decided: time(one.decidedAt) && `${time(one.decidedAt)}${one.decidedBy === null ? '' : ` by ${one.decidedBy}`}`,
    Reason: one.reason,
  });
  if (agreements.length === 0) page.text('No agreement was accepted.');
  for (const { version, by, at, language } of agreements)
    page.fact('Agreement', `Version ${version} (${language}), ${time(at)}, by ${by ?? 'an account that is gone'}`);
}

/** Agreements of a creator’s owners, in the words that were shown to them, the newest version first. */
export async function agreementsPdf(
  site: Facts,
  { creator, agreements }: { creator: string; agreements: readonly Agreement[] },
): Promise<Buffer> {
  const title = `Creator agreement: ${creator}`;
  const lang = agreements[0]?.language ?? 'en';
  return makePdf({ title, author: site.name, createdAt: new Date(), lang }, (page) => {
    page.title('Creator agreement');
    list(page, { Creator: creator, Site: `${site.name}, ${site.url}`, Made: time(new Date().toISOString()) });
    for (const { version, by, at, language, text } of agreements) {
      page.heading(`Version ${version}`);
      list(page, { Agreed: time(at), By: by ?? 'an account that is gone', Language: language });
      page.space(10);
      if (!canDraw(text))
        page.text('This file has no letters for the words. They are in the archive of an audio, as JSON.');
      else
        for (const block of agreementBlocks(text, undefined))
          page.text(block.text, { weight: block.kind === 'heading' ? 700 : 400 });
    }
  });
}

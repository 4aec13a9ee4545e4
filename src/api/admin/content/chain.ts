import { z } from '@hono/zod-openapi';
import { idOrSlug } from '../../schemas.ts';
import { attachment } from '../../attachment.ts';
import { adminCall } from '../../call.ts';
import { found } from '../../found.ts';

/** Archive of one audio's chain, for operators. */

const Instant = z.iso.datetime();
const Time = Instant.nullable();
const Text = z.string().nullable();
const Check = { method: Text, reference: Text, checkedOn: Text, until: Text };
const records = {
  verification: z.object({ state: z.string(), ...Check, decidedBy: Text, decidedAt: Time, reason: Text }),
  agreements: z.array(z.object({ version: z.int(), by: Text, at: Instant, language: z.string(), text: z.string() })),
};
const Values = z.record(z.string(), z.unknown()).nullable();

export const findChain = adminCall({
  get: '/admin/audios/{id}/chain',
  command: 'compliance archive',
  about: 'Archive of one audio: uploader, creator, agreement, performers with their consents, reviews, acts of the log',
  details: 'For an acquirer or an authority. It has names and emails of performers.',
  params: idOrSlug,
  output: z
    .object({
      madeAt: Instant,
      audio: z.object({
        id: z.uuid(),
        slug: z.string(),
        title: z.string(),
        sound: z.string().describe('Key of the file, which has its hash'),
        original: Text,
        createdAt: Instant,
        publishedAt: Time,
        firstPublishedAt: Time,
        deletedAt: Time,
      }),
      gap: Text.describe('What keeps it from being published; null: nothing'),
      uploads: z.array(z.object({ at: Instant, by: Text, fileName: z.string(), replaces: z.boolean() })),
      creator: z.object({
        name: z.string(),
        isHeard: z.boolean(),
        ...records,
        former: z
          .array(z.object({ name: z.string(), ...records }))
          .describe('Creators that had the audio and were merged into this one, with what did not move'),
      }),
      performers: z.array(
        z.object({
          name: Text,
          email: Text,
          verification: z.object(Check),
          consent: z.object({
            state: z.string(),
            recorded: z.boolean(),
            published: z.boolean(),
            downloaded: z.boolean(),
            sound: Text,
            sentAt: Time,
            openedAt: Time,
            answeredAt: Time,
            reference: Text,
          }),
        }),
      ),
      reviews: z.array(
        z.object({
          sentAt: Instant,
          cause: z.string(),
          decision: Text,
          decidedAt: Time,
          by: Text,
          reasonKind: Text.describe('Of a returned one; its creator reads a standard sentence for it'),
          reason: Text,
          sound: z.string(),
        }),
      ),
      acts: z.array(
        z.object({ at: Instant, action: z.string(), role: z.string(), by: Text, before: Values, after: Values }),
      ),
    })
    .openapi('AudioChain'),
  act: ({ site, viewer, id }) => site.admin.content.findChain(viewer, id),
});

export const downloadChain = adminCall({
  get: '/admin/audios/{id}/chain/pdf',
  command: 'compliance archive-pdf',
  about: 'The same archive as pages to print, without the words of agreements',
  params: idOrSlug,
  file: 'application/pdf',
  async act({ site, viewer, id }) {
    const chain = found(await site.admin.content.findChain(viewer, id));
    // Its fonts are loaded with the first PDF.
    const { chainPdf } = await import('./chain-pdf.ts');
    const pdf = await chainPdf(site.facts, chain);
    return attachment(new Uint8Array(pdf), 'application/pdf', `chain-${chain.audio.slug}.pdf`);
  },
});

export const downloadAgreements = adminCall({
  get: '/admin/voices/{id}/agreements/pdf',
  command: 'compliance agreement-pdf',
  about: 'The creator agreement as its owners agreed to it: versions, words, who and when',
  file: 'application/pdf',
  async act({ site, viewer, id }) {
    const signed = found(await site.admin.content.findAgreementsOf(viewer, id));
    const { agreementsPdf } = await import('./chain-pdf.ts');
    const pdf = await agreementsPdf(site.facts, signed);
    return attachment(new Uint8Array(pdf), 'application/pdf', `agreement-${signed.slug}.pdf`);
  },
});

import { z } from '@hono/zod-openapi';
import { chainGaps } from '#domain/catalogue/editing/chain.ts';
import { PerformerForm } from '#domain/verification/forms.ts';
import { consentStates } from '#domain/verification/rules.ts';
import { callBy } from '../call.ts';

/** Performers of an audio and their consents, for its managers. */

const studioCall = callBy('creator', { limit: { kind: 'studio', perMinute: 300 } });
/** For calls that may send a mail to anybody. */
const mailingCall = callBy('creator', { limit: { kind: 'studio performers', perMinute: 10 } });
const Instant = z.iso.datetime();

const refusals = {
  full: 'library/full',
  'there-already': 'performer/there-already',
  'no-email': 'performer/no-email',
  'same-sound': 'performer/same-sound',
} as const;

const Performer = z
  .object({
    id: z.uuid(),
    name: z.string().nullable().describe('Shown with the audio; null: not credited'),
    maskedEmail: z.string().nullable().describe('Such as `h…n@post.example`'),
    state: z.enum(consentStates),
    recorded: z.boolean(),
    published: z.boolean(),
    downloaded: z.boolean(),
    isOutdated: z.boolean().describe('The answer was given to another sound'),
    isComplete: z.boolean().describe('Agreed to be recorded and published'),
    sentAt: Instant.nullable(),
    isLinkOver: z.boolean().describe('The link has run out without an answer'),
    isOpened: z.boolean(),
    answeredAt: Instant.nullable(),
    reference: z.string().nullable().describe('An operator keeps a record of the consent'),
    verifiedUntil: z.iso.date().nullable(),
  })
  .openapi('Performer');

export const listPerformers = studioCall({
  get: '/studio/audios/{id}/performers',
  about: 'Who is heard in an audio, with their consents',
  output: z.object({
    owner: z
      .object({
        name: z.string(),
        imageUrl: z.string().nullable(),
        hasAgreed: z.boolean().describe('To a version of the creator agreement'),
      })
      .nullable()
      .describe('The creator, who is heard by default and covered by the creator agreement; null: is not heard'),
    items: z.array(Performer),
    complete: z.int(),
    total: z.int(),
    gap: z.enum(chainGaps).nullable().describe('What keeps the audio from being published'),
  }),
  act: ({ site, viewer, id }) => site.studio.listPerformers(viewer, id),
});

export const addPerformer = mailingCall({
  post: '/studio/audios/{id}/performers',
  about: 'Adds somebody who is heard, and mails them a link to listen and to agree',
  input: PerformerForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  refuses: refusals,
  act: ({ site, viewer, id, input }) => site.studio.addPerformer(viewer, id, input),
});

export const renewPerformerLink = mailingCall({
  post: '/studio/audios/{id}/performers/{performerId}/link',
  command: 'performers renew-link',
  about: 'Makes a new link of a consent, which ends the former one, and mails or returns it',
  input: z.strictObject({ by: z.enum(['mail', 'copy']) }),
  output: z.object({ link: z.string().nullable().describe('With `copy`') }),
  refuses: refusals,
  act: ({ site, viewer, id, performerId, input }) => site.studio.renewPerformerLink(viewer, id, performerId, input.by),
});

export const removePerformer = studioCall({
  delete: '/studio/audios/{id}/performers/{performerId}',
  about: 'Removes a performer; one who does not agree only after the sound was replaced',
  refuses: refusals,
  act: ({ site, viewer, id, performerId }) => site.studio.removePerformer(viewer, id, performerId),
});

export const setOwnerHeard = studioCall({
  put: '/studio/audios/{id}/performers/owner',
  command: 'performers set-owner',
  about: 'Says whether the creator is heard in an audio',
  input: z.strictObject({ isHeard: z.boolean() }),
  refuses: refusals,
  act: ({ site, viewer, id, input }) => site.studio.setOwnerHeard(viewer, id, input.isHeard),
});

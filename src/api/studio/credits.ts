import { z } from '@hono/zod-openapi';
import { creditRoles, creditStates, maxCredits } from '#domain/catalogue/credits/rules.ts';
import { Id, ImageUrl, Slug } from '#domain/kernel/shapes.ts';
import { CreditForm, CreditRoleForm } from '#domain/studio/credits/forms.ts';
import { callBy } from '../call.ts';
import { pageOf, PageQuery } from '../schemas.ts';

/** Credits of an audio, for its managers; and those that name a creator, for the creator's. */

const studioCall = callBy('creator', { limit: { kind: 'studio', perMinute: 300 } });
/** For calls that may send a mail to another creator. */
const askingCall = callBy('creator', { limit: { kind: 'studio credits', perMinute: 30 } });
const Instant = z.iso.datetime();
const Role = z.enum(creditRoles);
const State = z.enum(creditStates);

const refusals = {
  full: 'library/full',
  'there-already': 'credit/there-already',
  'unknown-creator': 'credit/unknown-creator',
  declined: 'credit/declined',
  'needs-consent': 'credit/needs-consent',
  'order-changed': 'credit/order-changed',
} as const;

const ManagedCredit = z
  .object({
    id: Id,
    role: Role,
    name: z.string(),
    state: State.describe('Listeners see what is accepted'),
    answer: z.object({ at: Instant }).nullable().describe('When it was asked or answered; null: needs no consent'),
    voice: z
      .object({
        id: Id,
        slug: Slug,
        imageUrl: ImageUrl,
        isHidden: z.boolean().describe('Listeners do not see it, nor this credit'),
        isOwn: z.boolean().describe('The creator of the audio'),
      })
      .nullable()
      .describe('Null: a name only'),
  })
  .openapi('ManagedCredit');

export const listCredits = studioCall({
  get: '/studio/audios/{id}/credits',
  about: 'Credits of an audio in their order, with the answers of the creators named',
  output: z.object({ items: z.array(ManagedCredit) }),
  async act({ site, viewer, id }) {
    const items = await site.studio.listCredits(viewer, id);
    return items && { items };
  },
});

export const addCredit = askingCall({
  post: '/studio/audios/{id}/credits',
  about: 'Adds a credit; another creator is asked by mail, and shown after they accepted',
  input: CreditForm,
  output: z.object({ id: Id }),
  status: 201,
  refuses: refusals,
  errors: ['words/refused'],
  act: ({ site, viewer, id, input }) => site.studio.addCredit(viewer, id, input),
});

export const setCreditRole = askingCall({
  patch: '/studio/audios/{id}/credits/{creditId}',
  command: 'credits set-role',
  about: 'Changes the part in a credit; another creator is asked again',
  input: CreditRoleForm,
  refuses: refusals,
  errors: ['words/refused'],
  act: ({ site, viewer, id, creditId, input }) => site.studio.setCreditRole(viewer, id, creditId, input.role),
});

export const removeCredit = studioCall({
  delete: '/studio/audios/{id}/credits/{creditId}',
  about: 'Removes a credit',
  refuses: refusals,
  act: ({ site, viewer, id, creditId }) => site.studio.removeCredit(viewer, id, creditId),
});

export const orderCredits = studioCall({
  put: '/studio/audios/{id}/credits/order',
  about: 'Puts the credits of an audio into another order',
  input: z.strictObject({ ids: z.array(z.uuid().toLowerCase()).max(maxCredits).describe('All of them') }),
  refuses: refusals,
  act: ({ site, viewer, id, input }) => site.studio.orderCredits(viewer, id, input.ids),
});

const CreditOfVoice = z
  .object({
    id: Id,
    role: Role,
    state: State,
    askedAt: Instant.nullable().describe('Null: needed no consent'),
    answeredAt: Instant.nullable(),
    audio: z.object({ slug: Slug, title: z.string(), imageUrl: ImageUrl, isPublished: z.boolean() }),
    creator: z.object({ slug: Slug, name: z.string() }).describe('The audio’s'),
  })
  .openapi('CreditOfVoice');

export const listCreditsOfVoice = studioCall({
  get: '/studio/voices/{id}/credits',
  command: 'credits list-of-voice',
  about: 'Credits in audios of others that name a creator, the newest first; for its managers',
  query: PageQuery.extend({ state: State.optional() }),
  output: pageOf(CreditOfVoice),
  act: ({ site, viewer, id, query }) => site.studio.listCreditsOfVoice(viewer, id, query),
});

export const answerCredit = studioCall({
  put: '/studio/voices/{id}/credits/{creditId}',
  command: 'credits answer',
  about: 'Accepts or declines a credit that names a creator; what was accepted can be taken back',
  input: z.strictObject({ state: State.exclude(['asked']) }),
  refuses: { 'not-own': 'studio/no-creator' },
  act: ({ site, viewer, id, creditId, input }) => site.studio.answerCredit(viewer, id, creditId, input.state),
});

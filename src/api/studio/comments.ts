import { z } from '@hono/zod-openapi';
import { commentHolds, commentOrders, commenterChoices } from '#domain/catalogue/rules.ts';
import { AudioCommentInput, CommentSettingsInput, ReadText } from '#domain/community/forms.ts';
import { heldReasons, voiceCommentLists } from '#domain/community/rules.ts';
import { canManageVoice } from '#domain/studio/rules.ts';
import { studioCall } from '../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { pageOf, PageQuery, UserResponse } from '../schemas.ts';

/** Comments on the audios of a voice, for its managers. */

const limit = { kind: 'studio comments', perMinute: 240 };
const maxBytes = 4 * 1024;

const VoiceCommentResponse = z
  .object({
    id: z.uuid(),
    audio: z.object({ id: z.uuid(), slug: z.string(), title: z.string(), imageUrl: z.string().nullable() }),
    user: UserResponse,
    text: z.string(),
    createdAt: Instant,
    state: z
      .enum(['shown', 'hidden', 'waiting', 'reported'])
      .describe(
        'Waiting: held, see `heldFor` and `isForDesk`. Reported: by somebody of the voice, and not decided yet',
      ),
    isHeld: z.boolean().describe('Nobody sees it until the report is decided'),
    isForDesk: z.boolean().describe('Waits because of a watched word; the operator decides, not the creator'),
    heldFor: z.enum(heldReasons).nullable().describe('Why it waits for its creator; null: it does not'),
    heldWord: z.string().nullable().describe('The creator’s own word in it'),
    marks: z.array(z.tuple([z.number(), z.number()])).describe('What held it, in UTF-16 units of the text'),
    isPinned: z.boolean(),
    isHearted: z.boolean(),
    editedAt: Instant.nullable(),
    isCreator: z.boolean().describe('Its author owns or edits the voice'),
    isBlocked: z.boolean().describe('Its author may not comment under this voice’s audios'),
    canReply: z.boolean(),
    answers: z.object({ username: z.string(), text: z.string() }).nullable(),
    totalReplies: z.number(),
  })
  .openapi('VoiceComment');

const IsHidden = z.object({ isHidden: z.boolean() });
const VoiceCommenters = z.object({ commenters: z.enum(commenterChoices) });
const HoldsLinks = z.object({ holdsLinks: z.boolean() });
const IsBlocked = z.object({ isBlocked: z.boolean() });

export const listVoiceComments = studioCall({
  get: '/studio/voices/{id}/comments',
  command: 'comments list',
  about: 'Comments under a voice’s audios, newest first; for its managers',
  query: PageQuery.extend({
    filter: z.enum(voiceCommentLists).default('unanswered'),
    q: z.string().max(200).optional().describe('Words of the text or of the author’s name'),
  }),
  output: pageOf(VoiceCommentResponse.extend({ replies: z.array(VoiceCommentResponse) }).openapi('VoiceThread')),
  limit,
  act: ({ site, viewer, id, query }) => site.community.listVoiceComments(viewer, id, query),
});

export const hideComment = studioCall({
  put: '/studio/comments/{id}/hidden',
  command: 'comments set-hidden',
  about: 'Hides a comment from everybody but its author, or shows it again',
  input: IsHidden.extend({
    ...ReadText.shape,
    waits: z.boolean().optional().describe('With `isHidden`: one that was held is back among those that wait'),
  }),
  output: IsHidden,
  errors: ['comment/edited'],
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input: { isHidden, waits, editedAt: read } }) =>
    (await site.community.setCommentHidden(viewer, id, isHidden, { waits, read })) && { isHidden },
});

const IsPinned = z.object({ isPinned: z.boolean() });
const IsHearted = z.object({ isHearted: z.boolean() });

export const pinComment = studioCall({
  put: '/studio/comments/{id}/pinned',
  command: 'comments set-pinned',
  about: 'Pins a comment above the others of its audio, in place of the one before, or takes it down',
  input: IsPinned.extend(ReadText.shape),
  output: IsPinned.extend({ replaced: z.uuid().nullable().describe('The comment that was pinned before') }),
  errors: ['comment/edited'],
  limit,
  maxBytes,
  async act({ site, viewer, id, input: { isPinned, editedAt } }) {
    const outcome = await site.community.setCommentPinned(viewer, id, isPinned, editedAt);
    return outcome && { isPinned, ...outcome };
  },
});

export const heartComment = studioCall({
  put: '/studio/comments/{id}/hearted',
  command: { none: 'a heart is the creator’s, not the operator’s' },
  about: 'Says that the creator likes a comment, or no longer; its author is told once',
  input: IsHearted.extend(ReadText.shape),
  output: IsHearted,
  errors: ['comment/edited'],
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input: { isHearted, editedAt } }) =>
    (await site.community.setCommentHearted(viewer, id, isHearted, editedAt)) && { isHearted },
});

const pausedUntil = Instant.nullable().describe('End of a break from new comments; null: there is none');

const CommentSettingsResponse = z
  .object({
    commenters: z.enum(commenterChoices).describe('On new audios'),
    hold: z.enum(commentHolds).describe('Comments that wait; each takes in those before it'),
    words: z.array(z.string()).describe('Hold a comment in any case'),
    order: z.enum(commentOrders).describe('Shown first'),
    pausedUntil,
    audios: z.number().describe('Of the voice'),
    withComments: z.number().describe('Those among them that accept comments'),
  })
  .openapi('CommentSettings');

const AudioCommentSettingsResponse = z
  .object({ hold: z.enum(commentHolds).nullable().describe('Null: as the voice has it'), pausedUntil })
  .openapi('AudioCommentSettings');

export const findCommentSettings = studioCall({
  get: '/studio/voices/{id}/comment-settings',
  about: 'Choices of a creator for comments',
  output: CommentSettingsResponse,
  limit,
  act: async ({ site, viewer, id }) =>
    canManageVoice(viewer, id) ? site.community.findCommentSettings(id) : undefined,
});

export const changeCommentSettings = studioCall({
  patch: '/studio/voices/{id}/comment-settings',
  about: 'Chooses which new comments wait, a creator’s own words, the order, and a break; what is left out stays',
  input: CommentSettingsInput,
  output: CommentSettingsResponse,
  limit,
  maxBytes: 64 * 1024,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.changeCommentSettings(viewer, id, input))
      ? site.community.findCommentSettings(id)
      : undefined,
});

export const findAudioCommentSettings = studioCall({
  get: '/studio/audios/{id}/comment-settings',
  about: 'Choices for the comments of one audio alone',
  output: AudioCommentSettingsResponse,
  limit,
  act: ({ site, viewer, id }) => site.community.findAudioCommentSettings(viewer, id),
});

export const changeAudioCommentSettings = studioCall({
  patch: '/studio/audios/{id}/comment-settings',
  about: 'Chooses for one audio which new comments wait, and a break; what is left out stays',
  input: AudioCommentInput,
  output: AudioCommentSettingsResponse,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.changeAudioCommentSettings(viewer, id, input))
      ? site.community.findAudioCommentSettings(viewer, id)
      : undefined,
});

export const setVoiceCommenters = studioCall({
  put: '/studio/voices/{id}/commenters',
  about: 'Chooses who may comment on new audios of a voice; existing ones do not change',
  input: VoiceCommenters,
  output: VoiceCommenters,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.changeCommentSettings(viewer, id, input)) ? input : undefined,
});

export const setHoldsLinks = studioCall({
  put: '/studio/voices/{id}/holds-links',
  about: 'Whether new comments with links wait, and no others: `hold` of the comment settings',
  input: HoldsLinks,
  output: HoldsLinks,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.changeCommentSettings(viewer, id, { hold: input.holdsLinks ? 'links' : 'none' }))
      ? input
      : undefined,
});

export const listVoiceBlocks = studioCall({
  get: '/studio/voices/{id}/blocked',
  about: 'Users blocked from commenting on a voice’s audios, most recent first',
  query: PageQuery,
  output: pageOf(UserResponse.extend({ blockedAt: Instant }).openapi('VoiceBlock')),
  limit,
  act: ({ site, viewer, id, query }) => site.community.listVoiceBlocks(viewer, id, query),
});

export const setVoiceBlock = studioCall({
  put: '/studio/voices/{id}/blocked/{userId}',
  about: 'Lets a user no longer comment under a voice’s audios, or again; comments stay',
  input: IsBlocked,
  output: IsBlocked,
  refuses: { own: 'voice/is-member' },
  limit,
  maxBytes,
  async act({ site, viewer, id, userId, input }) {
    const outcome = await site.community.setVoiceBlock(viewer, id, userId, input.isBlocked);
    return outcome.ok ? input : outcome;
  },
});

import { z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { voiceCommentFilters } from '#domain/community/rules.ts';
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
        'Waiting: held because of a link or a watched word. Reported: by somebody of the voice, and not decided yet',
      ),
    isHeld: z.boolean().describe('Nobody sees it until the report is decided'),
    isForDesk: z.boolean().describe('Waits because of a watched word; the operator decides, not the creator'),
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
    filter: z.enum(voiceCommentFilters).default('unanswered'),
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
  input: IsHidden,
  output: IsHidden,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.setCommentHidden(viewer, id, input.isHidden)) && input,
});

export const setVoiceCommenters = studioCall({
  put: '/studio/voices/{id}/commenters',
  about: 'Chooses who may comment on new audios of a voice; existing ones do not change',
  input: VoiceCommenters,
  output: VoiceCommenters,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.setVoiceCommenters(viewer, id, input.commenters)) ? input : undefined,
});

export const setHoldsLinks = studioCall({
  put: '/studio/voices/{id}/holds-links',
  about: 'Whether new comments with links wait until somebody of the voice shows them',
  input: HoldsLinks,
  output: HoldsLinks,
  limit,
  maxBytes,
  act: async ({ site, viewer, id, input }) =>
    (await site.community.setHoldsLinks(viewer, id, input.holdsLinks)) ? input : undefined,
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

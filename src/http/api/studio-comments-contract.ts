import { createRoute, z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { voiceCommentFilters } from '#domain/community/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  pageOf,
  PageQuery,
  refusals as ownRefusals,
  UserResponse,
} from '#api/schemas.ts';

const VoiceCommentResponse = z
  .object({
    id: z.uuid(),
    audio: z.object({ id: z.uuid(), slug: z.string(), title: z.string(), imageUrl: z.string().nullable() }),
    user: UserResponse,
    text: z.string(),
    createdAt: z.iso.datetime(),
    state: z
      .enum(['shown', 'hidden', 'waiting', 'reported'])
      .describe('Waiting: held because of a link. Reported: by somebody of the voice, and not decided yet'),
    isHeld: z.boolean().describe('Nobody sees it until the report is decided'),
    isCreator: z.boolean().describe('Its author owns or edits the voice'),
    isBlocked: z.boolean().describe('Its author may not comment under this voice’s audios'),
    canReply: z.boolean(),
    answers: z.object({ username: z.string(), text: z.string() }).nullable(),
    totalReplies: z.number(),
  })
  .openapi('VoiceComment');

const own = inOrder(personal, creatorsOnly, limitAccount('studio comments', 240));
const ownWrite = inOrder(...own, limitBody(4 * 1024));
const refusals = {
  ...ownRefusals,
  403: json(ErrorResponse, 'For owners and editors of a creator only'),
  413: json(ErrorResponse, 'Too large'),
  ...failures,
} as const;

const ofUser = z.object({
  id: ownId.shape.id,
  userId: z
    .uuid()
    .toLowerCase()
    .openapi({ param: { name: 'userId', in: 'path' } }),
});

export const listVoiceComments = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/comments',
  middleware: own,
  tags: ['Studio'],
  summary: 'Comments under a voice’s audios, newest first; for its managers',
  request: {
    params: ownId,
    query: PageQuery.extend({
      filter: z.enum(voiceCommentFilters).default('unanswered'),
      q: z.string().max(200).optional().describe('Words of the text or of the author’s name'),
    }),
  },
  responses: {
    200: json(
      pageOf(VoiceCommentResponse.extend({ replies: z.array(VoiceCommentResponse) }).openapi('VoiceThread')),
      'A page',
    ),
    ...ownRefusals,
    ...failures,
  },
});

export const hideComment = createRoute({
  method: 'put',
  path: '/studio/comments/{id}/hidden',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Hides a comment from everybody but its author, or shows it again',
  request: { params: ownId, body: jsonBody(z.object({ isHidden: z.boolean() })) },
  responses: { 200: json(z.object({ isHidden: z.boolean() }), 'Done'), ...refusals },
});

export const setVoiceCommenters = createRoute({
  method: 'put',
  path: '/studio/voices/{id}/commenters',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Chooses who may comment on new audios of a voice; existing ones do not change',
  request: { params: ownId, body: jsonBody(z.object({ commenters: z.enum(commenterChoices) })) },
  responses: { 200: json(z.object({ commenters: z.enum(commenterChoices) }), 'Done'), ...refusals },
});

export const setHoldsLinks = createRoute({
  method: 'put',
  path: '/studio/voices/{id}/holds-links',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Whether new comments with links wait until somebody of the voice shows them',
  request: { params: ownId, body: jsonBody(z.object({ holdsLinks: z.boolean() })) },
  responses: { 200: json(z.object({ holdsLinks: z.boolean() }), 'Done'), ...refusals },
});

export const listVoiceBlocks = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/blocked',
  middleware: own,
  tags: ['Studio'],
  summary: 'Users blocked from commenting on a voice’s audios, most recent first',
  request: { params: ownId, query: PageQuery },
  responses: {
    200: json(pageOf(UserResponse.extend({ blockedAt: z.iso.datetime() }).openapi('VoiceBlock')), 'A page'),
    ...ownRefusals,
    ...failures,
  },
});

export const setVoiceBlock = createRoute({
  method: 'put',
  path: '/studio/voices/{id}/blocked/{userId}',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Lets a user no longer comment under a voice’s audios, or again; comments stay',
  request: { params: ofUser, body: jsonBody(z.object({ isBlocked: z.boolean() })) },
  responses: {
    200: json(z.object({ isBlocked: z.boolean() }), 'Done'),
    ...refusals,
    409: json(ErrorResponse, 'The user owns or edits the voice'),
  },
});

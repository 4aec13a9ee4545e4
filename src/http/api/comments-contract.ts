import { createRoute, z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { CommentForm, ReportForm } from '#domain/community/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  idOrSlug,
  json,
  jsonBody,
  ownId,
  pageOf,
  PageQuery,
  refusals as ownRefusals,
  UserResponse,
} from '#api/schemas.ts';

const CommentResponse = z
  .object({
    id: z.uuid(),
    audioId: z.uuid(),
    parentId: z.uuid().nullable(),
    state: z.enum(['shown', 'deleted', 'removed']).describe('Other than shown: it only holds its replies'),
    text: z.string().nullable().describe('Plain text; null where it is not shown'),
    user: UserResponse.nullable(),
    isCreator: z.boolean().describe('Its author owns the voice'),
    createdAt: z.iso.datetime(),
    totalReplies: z.number(),
    waitsForCreator: z
      .literal(true)
      .optional()
      .describe('Only its author sees it until the creator shows it, because it has a link'),
  })
  .openapi('Comment');

const ThreadResponse = CommentResponse.extend({
  replies: z.array(CommentResponse).describe('The first three, oldest first'),
}).openapi('Thread');

const own = inOrder(personal, loggedInOnly, limitAccount('comments', 60));
/** A thousand characters in JSON's longest escapes, plus the rest of the body. */
const ownWrite = inOrder(...own, limitBody(32 * 1024));

const refusals = { ...ownRefusals, 413: json(ErrorResponse, 'Too large'), ...failures } as const;

export const listComments = createRoute({
  method: 'get',
  path: '/audios/{id}/comments',
  tags: ['Comments'],
  summary: 'Comments on an audio, newest first',
  request: { params: idOrSlug, query: PageQuery },
  responses: {
    200: json(
      pageOf(ThreadResponse).extend({
        totalComments: z.number().describe('On all pages, with replies, as visible to the requesting user'),
        commentsDisabled: z.boolean(),
        commenters: z
          .enum(commenterChoices)
          .describe('Who may write: everyone with an account, subscribers and managers of the voice, or nobody'),
      }),
      'A page',
    ),
    ...failures,
  },
});

export const writeComment = createRoute({
  method: 'post',
  path: '/audios/{id}/comments',
  middleware: ownWrite,
  tags: ['Comments'],
  summary: 'Says something about an audio, or answers',
  request: {
    params: idOrSlug,
    body: jsonBody(CommentForm),
  },
  responses: {
    201: json(CommentResponse, 'Written'),
    200: json(CommentResponse, 'The same comment was written a moment ago, and is stored once'),
    ...refusals,
    403: json(ErrorResponse, 'The creator turned comments off, allows only subscribers, or blocked this user'),
  },
});

export const listReplies = createRoute({
  method: 'get',
  path: '/comments/{id}/replies',
  tags: ['Comments'],
  summary: 'Replies to a comment, oldest first',
  request: { params: ownId, query: PageQuery },
  responses: { 200: json(pageOf(CommentResponse), 'A page'), ...failures },
});

export const deleteComment = createRoute({
  method: 'delete',
  path: '/comments/{id}',
  middleware: own,
  tags: ['Comments'],
  summary: 'Deletes a comment of one’s own',
  request: { params: ownId },
  responses: { 204: { description: 'Deleted' }, ...refusals },
});

export const reportComment = createRoute({
  method: 'post',
  path: '/comments/{id}/report',
  middleware: ownWrite,
  tags: ['Comments'],
  summary: 'Tells the operators of a comment; a second time changes nothing',
  request: {
    params: ownId,
    body: jsonBody(ReportForm),
  },
  responses: { 204: { description: 'Reported' }, ...refusals },
});

export const switchComments = createRoute({
  method: 'put',
  path: '/audios/{id}/comments-disabled',
  middleware: ownWrite,
  tags: ['Comments'],
  summary: 'Turns the comments of an audio on or off; for owners of its voice',
  request: {
    params: ownId,
    body: jsonBody(z.object({ commentsDisabled: z.boolean() })),
  },
  responses: { 200: json(z.object({ commentsDisabled: z.boolean() }), 'Done'), ...refusals },
});

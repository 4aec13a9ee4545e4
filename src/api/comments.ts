import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { commentOrders, commenterChoices } from '#domain/catalogue/rules.ts';
import { canonicalLanguage } from '#formats/canonical-language.ts';
import { wantedLanguages } from '#formats/languages.ts';
import { Comment } from '#domain/community/comments.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { CommentForm, ReportForm } from '#domain/community/forms.ts';
import { call, callBy } from './call.ts';
import { found } from './found.ts';
import { idOrSlug, json, pageOf, PageQuery } from './schemas.ts';

const CommentResponse = z.object(Comment.shape).openapi('Comment');

const ThreadResponse = CommentResponse.extend({
  replies: z.array(CommentResponse).describe('The first three, oldest first'),
}).openapi('Thread');

const userCall = callBy('user', {
  limit: { kind: 'comments', perMinute: 60 },
  // A thousand characters in JSON's longest escapes, plus the rest of the body.
  maxBytes: 32 * 1024,
});

export const listComments = call({
  get: '/audios/{id}/comments',
  about: 'Comments on an audio, with the pinned one before all on the first page',
  params: idOrSlug,
  query: PageQuery.extend({
    sort: z.enum(commentOrders).optional().describe('Default: the creator’s choice, or that of the cursor'),
  }),
  output: pageOf(ThreadResponse).extend({
    totalComments: z.number().describe('On all pages, with replies, as visible to the requesting user'),
    commentsDisabled: z.boolean(),
    commenters: z
      .enum(commenterChoices)
      .describe('Who may write: everyone with an account, subscribers and managers of the voice, or nobody'),
    pausedUntil: Instant.nullable().describe('End of a break, in which only managers of the voice write'),
    order: z.enum(commentOrders),
  }),
  act: async ({ site, viewer, id, query }) =>
    site.community.listComments(viewer, found(await site.catalogue.findAudio(id)), query),
});

const textRefusals = {
  disabled: 'comments/disabled',
  'subscribers-only': 'comments/subscribers-only',
  paused: 'comments/paused',
  blocked: 'comments/blocked',
  empty: 'comment/empty',
  'too-long': 'comment/too-long',
} as const;

/** Pages ask in their own language. */
function languageOf(context: Context): string | undefined {
  const [wanted = ''] = wantedLanguages(context.req.header('accept-language') ?? '');
  return canonicalLanguage(wanted);
}

export const writeComment = userCall({
  post: '/audios/{id}/comments',
  about: 'Says something about an audio, or answers',
  params: idOrSlug,
  input: CommentForm,
  output: CommentResponse,
  status: 201,
  also: { 200: json(CommentResponse, 'The same comment was written a moment ago, and is stored once') },
  refuses: {
    'no-username': 'auth/invalid-username',
    ...textRefusals,
    'too-many': 'comment/too-many',
  },
  errors: ['site/feature-off', 'words/refused'],
  once: true,
  attempt: 'comment',
  async act({ site, viewer, id, input, context }) {
    const comment = { ...input, language: languageOf(context) };
    const outcome = await site.community.writeComment(viewer, id, comment);
    if (!outcome.ok) return outcome;
    return outcome.isNew ? outcome.comment : context.json(outcome.comment, 200);
  },
});

export const listReplies = call({
  get: '/comments/{id}/replies',
  about: 'Replies to a comment, oldest first',
  query: PageQuery,
  output: pageOf(CommentResponse),
  act: ({ site, viewer, id, query }) => site.community.listReplies(viewer, id, query),
});

export const editComment = userCall({
  patch: '/comments/{id}',
  about: 'Changes a comment of one’s own, which may wait for the creator again; its heart and pin go',
  input: CommentForm.pick({ text: true }),
  output: CommentResponse,
  refuses: { ...textRefusals, 'under-review': 'comment/under-review' },
  errors: ['site/feature-off', 'words/refused'],
  attempt: 'comment',
  async act({ site, viewer, id, input, context }) {
    const outcome = await site.community.editComment(viewer, id, { ...input, language: languageOf(context) });
    return outcome.ok ? outcome.comment : outcome;
  },
});

export const deleteComment = userCall({
  delete: '/comments/{id}',
  about: 'Deletes a comment of one’s own',
  act: ({ site, viewer, id }) => site.community.deleteComment(viewer, id),
});

export const reportComment = userCall({
  post: '/comments/{id}/report',
  about: 'Tells the operators of a comment; a second time changes nothing',
  input: ReportForm,
  attempt: 'report',
  act: ({ site, viewer, id, input }) => site.community.reportComment(viewer, id, input),
});

export const switchComments = userCall({
  put: '/audios/{id}/comments-disabled',
  about: 'Turns the comments of an audio on or off; for owners of its voice',
  input: z.object({ commentsDisabled: z.boolean() }),
  output: z.object({ commentsDisabled: z.boolean() }),
  attempt: 'publicity',
  act: async ({ site, viewer, id, input: { commentsDisabled } }) =>
    (await site.studio.switchComments(viewer, id, commentsDisabled)) ? { commentsDisabled } : undefined,
});

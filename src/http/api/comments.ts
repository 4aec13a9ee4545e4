import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Comment, Thread } from '#domain/community/comments.ts';
import { CommentForm, ReportForm } from '#domain/community/forms.ts';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { AttemptKind } from '#domain/identity/attempts.ts';
import type { Site } from '#domain/site.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ownCall } from './own-call.ts';
import { ErrorAnswer, failures, idOrSlug, json, ownId, pageOf, PageQuery, UserAnswer } from './schemas.ts';

const CommentAnswer = z
  .object({
    id: z.uuid(),
    audioId: z.uuid(),
    parentId: z.uuid().nullable(),
    state: z.enum(['shown', 'deleted', 'removed']).describe('Other than shown: it only holds its replies'),
    text: z.string().nullable().describe('Plain text; null where it is not shown'),
    user: UserAnswer.nullable(),
    isCreator: z.boolean().describe('Its author owns the voice'),
    createdAt: z.iso.datetime(),
    totalReplies: z.number(),
  })
  .openapi('Comment');

const ThreadAnswer = CommentAnswer.extend({
  replies: z.array(CommentAnswer).describe('The first three, oldest first'),
}).openapi('Thread');

/** A thousand characters, each as JSON may write it, and room. */
const mostBytes = 32 * 1024;
const perMinute = 60;

const reasons: Record<'not-found' | 'no-username' | 'disabled' | 'empty' | 'too-long', ErrorCode> = {
  'not-found': 'request/not-found',
  'no-username': 'auth/invalid-username',
  disabled: 'comments/disabled',
  empty: 'comment/empty',
  'too-long': 'comment/too-long',
};

const toAnswer = <C extends Comment>(comment: C) => ({ ...comment, createdAt: comment.createdAt.toISOString() });
const toThread = (thread: Thread) => ({ ...toAnswer(thread), replies: thread.replies.map(toAnswer) });

type CommentRoutesOptions = { site: Site; rateLimit: RateLimit; trustProxy: number };

/** What listeners say about audios. */
export function commentRoutes({ site, rateLimit, trustProxy }: CommentRoutesOptions) {
  const { catalogue, community, identity } = site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const own = (methods: string[]) => ownCall({ rateLimit, kind: 'comments', perMinute, methods });
  const limit = limitBody(mostBytes);
  app.use('/audios/:id/comments', own(['POST']), limit);
  app.use('/audios/:id/comments-disabled', personal, own(['PUT']), limit);
  app.use('/comments/:id', personal, own(['DELETE']));
  app.use('/comments/:id/report', personal, own(['POST']), limit);
  const refusals = {
    401: json(ErrorAnswer, 'Log in first'),
    413: json(ErrorAnswer, 'Too large'),
    429: json(ErrorAnswer, 'Too many'),
    ...failures,
  } as const;

  /** Counted in the database, since what it is about is seen by all, or read by an operator. */
  async function take(context: Context, kind: AttemptKind, account: string): Promise<void> {
    const of = { account, address: clientAddress(context, trustProxy) };
    if ((await identity.attempts.take(kind, of)) !== undefined) throw new DomainError('request/too-many');
  }

  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/audios/{id}/comments',
        tags: ['Comments'],
        summary: 'What was said about an audio, newest first',
        request: { params: idOrSlug, query: PageQuery },
        responses: {
          200: json(
            pageOf(ThreadAnswer).extend({
              totalComments: z.number().describe('Of all pages, with replies, as who asks sees them'),
              commentsDisabled: z.boolean(),
            }),
            'A page',
          ),
          ...failures,
        },
      }),
      async (context) => {
        const audio = await catalogue.findAudio(context.req.valid('param').id);
        if (audio === undefined) throw new DomainError('request/not-found');
        const page = await community.listComments(context.get('viewer'), audio, context.req.valid('query'));
        return context.json({ ...page, items: page.items.map(toThread) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/audios/{id}/comments',
        tags: ['Comments'],
        summary: 'Says something about an audio, or answers',
        request: {
          params: idOrSlug,
          body: { required: true, content: { 'application/json': { schema: CommentForm } } },
        },
        responses: {
          201: json(CommentAnswer, 'Written'),
          200: json(CommentAnswer, 'It was written a moment ago, and stands once'),
          ...refusals,
          403: json(ErrorAnswer, 'The creator turned comments off'),
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await take(context, 'comment', viewer.id);
        const { id } = context.req.valid('param');
        const outcome = await community.writeComment(viewer, id, context.req.valid('json'));
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json(toAnswer(outcome.comment), outcome.isNew ? 201 : 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/comments/{id}/replies',
        tags: ['Comments'],
        summary: 'Replies to a comment, oldest first',
        request: { params: ownId, query: PageQuery },
        responses: { 200: json(pageOf(CommentAnswer), 'A page'), ...failures },
      }),
      async (context) => {
        const { id } = context.req.valid('param');
        const page = await community.listReplies(context.get('viewer'), id, context.req.valid('query'));
        if (page === undefined) throw new DomainError('request/not-found');
        return context.json({ ...page, items: page.items.map(toAnswer) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/comments/{id}',
        tags: ['Comments'],
        summary: 'Deletes a comment of one’s own',
        request: { params: ownId },
        responses: { 204: { description: 'Deleted' }, ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        if (!(await community.deleteComment(viewer, context.req.valid('param').id)))
          throw new DomainError('request/not-found');
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/comments/{id}/report',
        tags: ['Comments'],
        summary: 'Tells the operators of a comment; a second time changes nothing',
        request: {
          params: ownId,
          body: { required: true, content: { 'application/json': { schema: ReportForm } } },
        },
        responses: { 204: { description: 'Reported' }, ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await take(context, 'report', viewer.id);
        if (!(await community.reportComment(viewer, context.req.valid('param').id, context.req.valid('json'))))
          throw new DomainError('request/not-found');
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/audios/{id}/comments-disabled',
        tags: ['Comments'],
        summary: 'Turns the comments of an audio on or off; for owners of its voice',
        request: {
          params: ownId,
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ commentsDisabled: z.boolean() }) } },
          },
        },
        responses: { 200: json(z.object({ commentsDisabled: z.boolean() }), 'Done'), ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await take(context, 'publicity', viewer.id);
        const { commentsDisabled } = context.req.valid('json');
        if (!(await community.switchComments(viewer, context.req.valid('param').id, commentsDisabled)))
          throw new DomainError('request/not-found');
        return context.json({ commentsDisabled }, 200);
      },
    );
}
